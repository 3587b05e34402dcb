-- One row per event of project {project} that was settled and received from {from} on and before {to} (milliseconds),
-- as outbox.settled-events.sql has them: {limit} at most, after place ({after_kind}, {after_time}, {after_subject}). Of
-- {installs} and {events} alone, where these are not empty; an install may be told as rejected. With {by_log} only
-- those that the log has messages of, by {postback_ids} and by how they ended, {outcomes}: `postback_ids` are these.
-- Tables: adtrail.outbox_events, adtrail.postbacks.
WITH
  -- One row per event: what the log says of its messages. No attempt is earlier than its event, but for the clocks.
  ended AS (
    SELECT any(last_run) AS run_id, subject, groupArray(postback_id) AS postback_ids
    FROM (
      SELECT
        subject, postback_id, argMax(run_id, (attempted_at, attempt)) AS last_run,
        argMax(outcome, (attempted_at, attempt)) AS last_outcome
      FROM adtrail.postbacks
      WHERE {by_log:Bool} AND project_id = {project:UInt32} AND outcome != 'test'
        AND attempted_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') - INTERVAL 1 HOUR
        AND (empty({postback_ids:Array(UUID)}) OR postback_id IN {postback_ids:Array(UUID)})
      GROUP BY subject, postback_id
    )
    WHERE empty({outcomes:Array(String)}) OR has({outcomes:Array(String)}, last_outcome)
    GROUP BY subject
  ),

  found AS (
    SELECT run_id, subject, project_id, partner_id, type, event, suspicious, event_time, received_at, install_id
    FROM adtrail.outbox_events
    WHERE project_id = {project:UInt32}
      AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND received_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      AND noted_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') - INTERVAL 1 HOUR
      AND (empty({installs:Array(String)}) OR install_id IN {installs:Array(String)})
      AND (empty({events:Array(String)}) OR has({events:Array(String)}, event)
        OR has({events:Array(String)}, 'rejected') AND type = 'install')
      AND (NOT {by_log:Bool} OR (run_id, subject) IN (SELECT run_id, subject FROM ended))
      AND (type != 'install', event_time, subject)
        > ({after_kind:UInt8}, fromUnixTimestamp64Milli({after_time:Int64}, 'UTC'), {after_subject:UUID})
    -- Of several runs that found an event, the first says what is told of it.
    ORDER BY type != 'install', event_time, subject, noted_at
    LIMIT 1 BY subject
    LIMIT {limit:UInt64}
  )

SELECT
  found.run_id AS run_id, found.subject AS subject, project_id, partner_id, type, event, suspicious,
  toUnixTimestamp64Milli(event_time) AS event_ms, toUnixTimestamp64Milli(received_at) AS received_at,
  toString(sipHash64(project_id, install_id)) AS install, ended.postback_ids AS postback_ids
FROM found
LEFT JOIN ended ON found.subject = ended.subject
ORDER BY type != 'install', event_ms, subject
