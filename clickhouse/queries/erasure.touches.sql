-- One row per touch with one of the advertising IDs {devices}.
SELECT DISTINCT toString(touch_id) AS touch_id
FROM adtrail.touch_keys
WHERE project_id = {project:UInt32} AND match IN ('gaid', 'idfa') AND key IN {devices:Array(String)}
