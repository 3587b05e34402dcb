-- Takes up to {limit} installs that are not decided yet into run {run_id}, first received first: those stored from
-- {from} on, or set aside and to be tried again, and received up to {settled} (milliseconds since 1970).
INSERT INTO adtrail.attribution_batches (
  run_id, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
    ua, os,
    referrer_click_id, referrer_click_time, install_begin_time, attribution
)
WITH
  -- Both by their projections by_arrival; a decision is stored after the install that it is about.
  arrived AS (
    SELECT DISTINCT project_id, install_id
    FROM adtrail.app_events
    WHERE type = 'install' AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.installs
        WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC'))
      AND (project_id, install_id) NOT IN (SELECT project_id, entity FROM adtrail.quarantine FINAL
        WHERE worker = 'attribution')
    UNION DISTINCT
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'attribution' AND state = 'retry'
  ),
  -- Repeats of installs that were decided long ago.
  repeated AS (SELECT project_id, install_id FROM adtrail.installs
    WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM arrived))
SELECT
  {run_id:UInt64}, project_id, install_id, event_id, time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
    ua, os,
    referrer_click_id, referrer_click_time, install_begin_time, attribution
FROM (
  SELECT
    project_id, install_id, event_id, time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
    ua, os,
      referrer_click_id, referrer_click_time, install_begin_time, attribution
  FROM adtrail.app_events FINAL
  -- The keys of installs, as told by an app and by a server.
  WHERE event_key IN ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001')
    AND (project_id, install_id) IN (SELECT project_id, install_id FROM arrived)
    AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM repeated)
    AND received_at <= fromUnixTimestamp64Milli({settled:Int64}, 'UTC')
  -- What the project's own server says of an install counts before what an app says of it.
  ORDER BY trusted DESC
  LIMIT 1 BY project_id, install_id
)
ORDER BY received_at, install_id
LIMIT {limit:UInt32}
