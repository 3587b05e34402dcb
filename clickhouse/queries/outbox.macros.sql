-- One row per event of {subjects}, pairs of run and subject: what a message about it may say. Nothing of an event whose
-- person was forgotten. Table: adtrail.outbox_events.
SELECT run_id, subject, install_id, toUnixTimestamp64Milli(event_time) AS event_time, macros
FROM adtrail.outbox_events
WHERE run_id IN {runs:Array(UInt64)} AND (run_id, subject) IN {subjects:Array(Tuple(UInt64, UUID))}
ORDER BY noted_at
LIMIT 1 BY run_id, subject
