-- Notes the event names and revenue types of the events stored at these times that are not noted yet.
INSERT INTO adtrail.event_names (project_id, kind, name)
SELECT DISTINCT project_id, if(type = 'event', 'event', 'payment'), if(type = 'event', name, payment_type)
FROM adtrail.app_events
PREWHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
  AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
WHERE type IN ('event', 'payment', 'refund')
  AND (project_id, if(type = 'event', 'event', 'payment'),
    if(type = 'event', name, payment_type)) NOT IN (SELECT project_id, toString(kind), name FROM adtrail.event_names)
