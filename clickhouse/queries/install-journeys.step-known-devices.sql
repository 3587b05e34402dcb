-- One row per install of a part of a run and advertising ID that its events name. Devices are read from the events:
-- adtrail.installs_by_identifier may name one of a repeat of an event, which does not count.
SELECT DISTINCT project_id, install_id, arrayJoin([ids.gaid, ids.idfa]) AS device
FROM (
  SELECT project_id, install_id, CAST(person, 'Tuple(user_id String, gaid String, idfa String)') AS ids
  FROM adtrail.journey_records
  -- Before anything is unpacked.
  PREWHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND person != ''
)
WHERE device != ''
