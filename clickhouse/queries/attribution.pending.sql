-- Whether install {install} has been received.
SELECT count() > 0 AS received
FROM adtrail.app_events
WHERE project_id = {project:UInt32} AND install_id = {install:String} AND type = 'install' AND is_deleted = 0
