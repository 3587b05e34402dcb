-- One row per event that run {run_id} may tell of, in the order in which they are told. Table: adtrail.outbox_events.
SELECT
  run_id, subject, project_id, partner_id, type, event, suspicious,
  toUnixTimestamp64Milli(received_at) AS received_at,
  -- Messages about one install go in order.
  toString(sipHash64(project_id, install_id)) AS install
FROM adtrail.outbox_events
WHERE run_id = {run_id:UInt64}
ORDER BY type != 'install', event_time, subject
