-- Removes what {touches} could be matched by.
-- cluster: shard by key
ALTER TABLE adtrail.touch_keys DELETE WHERE project_id = {project:UInt32}
  AND (key IN {devices:Array(String)} OR toString(touch_id) IN {touches:Array(String)})
