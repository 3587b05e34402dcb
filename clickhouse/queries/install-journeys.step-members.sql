-- One row per install of a part of a run, with the install that it repeats: its root.
SELECT project_id, install_id, root_install
FROM adtrail.journey_members
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND project_id IN {projects:Array(UInt32)}
