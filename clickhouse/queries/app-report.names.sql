-- One row per event name or revenue type, of those asked for, that the project ever received. Table:
-- adtrail.event_names.
SELECT DISTINCT kind, name
FROM adtrail.event_names
WHERE project_id = {project_id:UInt32}
  AND (
    (kind = 'event' AND name IN {events:Array(String)})
    OR (kind = 'payment' AND name IN {payments:Array(String)})
  )
