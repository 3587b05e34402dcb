-- One row per advertising ID of the devices with the installs of {request}.
SELECT DISTINCT arrayJoin(arrayFilter(id -> id != '',
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')])) AS device
FROM adtrail.app_events
WHERE project_id = {project:UInt32} AND install_id IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'install')
