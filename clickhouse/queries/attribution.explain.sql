-- The decision about install {install}, as it was made; one row at most.
SELECT *
FROM analytics.installs
WHERE project_id = {project:UInt32} AND install_id = {install:String}
