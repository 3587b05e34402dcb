-- One row per user of that name that may still ask, of the embedded ClickHouse: its project.
SELECT project_id
FROM adtrail.project_readers FINAL
WHERE user = {user:String} AND is_deleted = 0
