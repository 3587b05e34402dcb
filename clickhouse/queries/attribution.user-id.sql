-- The identifier of the user of install {install}: the one of the sign-up, else the latest known; empty if there is
-- none.
SELECT argMax(user_id, (type = 'signup', time, id)) AS known
FROM adtrail.app_events FINAL
WHERE project_id = {project:UInt32} AND install_id = {install:String} AND user_id != ''
