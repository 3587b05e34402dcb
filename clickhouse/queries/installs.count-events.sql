-- How many events of install {install} of project {project} there are.
SELECT count() AS total
FROM adtrail.app_events FINAL
WHERE project_id = {project:UInt32} AND install_id = {install:String}
