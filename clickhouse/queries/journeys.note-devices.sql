-- Notes the devices that the new events of a part of a run_id name, as the attribution worker does too: whichever comes first.
INSERT INTO adtrail.identities (project_id, kind, value, install_id)
SELECT DISTINCT project_id, device.1, toString(assumeNotNull(device.2)), install_id
FROM (
  SELECT project_id, install_id, arrayJoin([('gaid', gaid), ('idfa', idfa)]) AS device
  FROM adtrail.app_events
  WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}) AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
    AND (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = 0)
)
WHERE device.2 IS NOT NULL
