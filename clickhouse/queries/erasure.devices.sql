-- One row per advertising ID of the devices with {installs}.
SELECT DISTINCT arrayJoin(arrayFilter(id -> id != '',
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')])) AS device
FROM adtrail.app_events
WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)}
