-- The event of project {project} that was settled last, and what a message may say of it; of install {install} and of
-- events told as {event} alone, where these are not empty. Table: adtrail.outbox_events.
SELECT run_id, subject, install_id, event, toUnixTimestamp64Milli(event_time) AS event_time, macros
FROM adtrail.outbox_events
WHERE (run_id, subject) IN (
  SELECT run_id, subject
  FROM adtrail.outbox_events
  WHERE project_id = {project:UInt32}
    AND ({install:String} = '' OR install_id = {install:String})
    AND ({event:String} = '' OR event = {event:String})
  ORDER BY noted_at DESC, adtrail.outbox_events.event_time DESC
  LIMIT 1
)
LIMIT 1
