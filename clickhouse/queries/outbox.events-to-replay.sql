-- One row per event of project {project} that was settled and received from {from} on and before {to} (milliseconds),
-- as outbox.settled-events.sql has them, after the {after}th: {limit} at most. Of {installs}, {events} and
-- {postback_ids} alone, where these are not empty; with {outcomes} only those of which a message has ended so.
-- Tables: adtrail.outbox_events, adtrail.postback_attempts.
WITH
  -- The messages that the log knows, as they ended.
  ended AS (
    SELECT postback_id, subject, argMax(outcome, (attempted_at, attempt)) AS last_outcome
    FROM adtrail.postback_attempts
    WHERE project_id = {project:UInt32} AND outcome != 'test'
      AND (empty({postback_ids:Array(UUID)}) OR postback_id IN {postback_ids:Array(UUID)})
    GROUP BY postback_id, subject
  )
SELECT
  argMin(run_id, noted_at) AS run_id, subject, any(project_id) AS project_id, any(partner_id) AS partner_id,
  any(type) AS type, any(event) AS event, any(suspicious) AS suspicious,
  toUnixTimestamp64Milli(any(received_at)) AS received_at,
  toString(sipHash64(any(project_id), any(install_id))) AS install
FROM adtrail.outbox_events
WHERE project_id = {project:UInt32}
  AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND received_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND (empty({installs:Array(String)}) OR install_id IN {installs:Array(String)})
  AND (empty({events:Array(String)}) OR event IN {events:Array(String)})
  AND (empty({postback_ids:Array(UUID)}) OR subject IN (SELECT subject FROM ended))
  AND (empty({outcomes:Array(String)}) OR subject IN (
    SELECT subject FROM ended WHERE last_outcome IN {outcomes:Array(String)}
  ))
GROUP BY subject
ORDER BY any(type) != 'install', any(event_time), subject
LIMIT {after:UInt64}, {limit:UInt64}
