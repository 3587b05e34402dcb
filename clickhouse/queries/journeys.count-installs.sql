-- How many installs these projects have, roughly.
SELECT count() AS rows FROM adtrail.installs WHERE project_id IN {projects:Array(UInt32)}
