-- One page of attempts to deliver, the latest first: one row per attempt. From {since} on and before {until}
-- (milliseconds), and before the place ({before_time}, {before_id}, {before_attempt}). {project}, {partner}, {webhook}:
-- 0 for all; texts are empty for all, and so is {postback_ids}. Table: adtrail.postbacks.
WITH
  -- What a row shows is read later, for those of the page alone.
  page AS (
    SELECT project_id, attempted_at, postback_id, attempt
    FROM adtrail.postbacks
    WHERE ({project:UInt32} = 0 OR project_id = {project:UInt32})
      AND attempted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
      AND attempted_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
      AND attempted_at <= fromUnixTimestamp64Milli({before_time:Int64}, 'UTC')
      AND (attempted_at, postback_id, attempt)
        < (fromUnixTimestamp64Milli({before_time:Int64}, 'UTC'), {before_id:UUID}, {before_attempt:UInt32})
      AND ({partner:UInt32} = 0 OR partner_id = {partner:UInt32})
      AND ({webhook:UInt32} = 0 OR kind = 'webhook' AND destination_id = {webhook:UInt32})
      AND ({install_id:String} = '' OR install_id = {install_id:String})
      AND ({tid:String} = '' OR tid = {tid:String})
      AND (empty({postback_ids:Array(UUID)}) OR postback_id IN {postback_ids:Array(UUID)})
      AND ({host:String} = '' OR host = {host:String})
      AND ({kind:String} = '' OR kind = {kind:String})
      AND ({event:String} = '' OR event = {event:String})
      AND ({outcome:String} = '' OR outcome = {outcome:String})
    ORDER BY attempted_at DESC, postback_id DESC, attempt DESC
    -- What was written to the log twice is one attempt.
    LIMIT 1 BY attempted_at, postback_id, attempt
    LIMIT {limit:UInt32}
  )
SELECT
  toUnixTimestamp64Milli(attempted_at) AS attempted_ms, attempted_at, postback_id, attempt, kind, destination_id,
  project_id, partner_id, event, install_id, event_id, tid, host, method, url, body,
  macros, partner_url, partner_body, outcome, status, latency_ms, error, next_attempt_at, is_replay
FROM adtrail.postbacks
WHERE (project_id, attempted_at, postback_id, attempt) IN (
  SELECT project_id, attempted_at, postback_id, attempt FROM page
)
ORDER BY attempted_ms DESC, postback_id DESC, attempt DESC
LIMIT 1 BY attempted_ms, postback_id, attempt
