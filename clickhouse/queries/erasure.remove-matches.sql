-- Removes what the attribution worker noted of {touches} while it decided installs.
-- cluster: on every node
ALTER TABLE adtrail.attribution_matches DELETE WHERE project_id = {project:UInt32}
  AND (key IN {devices:Array(String)} OR toString(touch_id) IN {touches:Array(String)})
