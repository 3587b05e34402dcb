-- Notes the event names and revenue types of the new events of a part of a run that are not noted yet. Few rows
-- are new, and when a row was stored is read faster than its install.
INSERT INTO adtrail.event_names (project_id, kind, name)
SELECT DISTINCT project_id, if(type = 'event', 'event', 'payment'), if(type = 'event', name, payment_type)
FROM adtrail.app_events
PREWHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
  AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches
  WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = 0)
  AND type IN ('event', 'payment', 'refund')
  AND (project_id, if(type = 'event', 'event', 'payment'),
    if(type = 'event', name, payment_type)) NOT IN (SELECT project_id, toString(kind), name FROM adtrail.event_names)
