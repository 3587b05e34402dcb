-- How many installs or visitors of project {project_id} the derived tables {workers} lack.
SELECT count() AS entities
FROM adtrail.quarantine FINAL
WHERE worker IN {workers:Array(String)} AND project_id = {project_id:UInt32} AND state != 'dismissed'
