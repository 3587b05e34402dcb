-- Takes up to {limit} installs that are not decided yet into run {run_id}: those put into the queue from {from} on, or
-- set aside and to be tried again, and received up to {settled} (milliseconds since 1970). Projects take turns, so that
-- none waits for the backlog of another; of one project those received first come first, at most so many as
-- {project_limits} says. Lane {lane} of {lanes} takes up its own of which nothing was received up to {after}, first
-- received first; 0 stands for all.
INSERT INTO adtrail.attribution_batches (
  run_id, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
  country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution
)
WITH
  retried AS (
    SELECT project_id, entity AS install_id
    FROM adtrail.quarantine FINAL
    WHERE worker = 'attribution' AND state = 'retry' AND {lane:UInt8} = 0
  ),

  -- One row per install event that may have to be decided, with its repeats and what hides it.
  queued AS (
    SELECT
      project_id, install_id, event_key, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
      country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version,
      is_deleted
    FROM adtrail.install_queue
    WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND ({lane:UInt8} = 0 OR sipHash64(project_id, install_id) % {lanes:UInt8} + 1 = {lane:UInt8})
      AND (project_id, install_id) NOT IN (SELECT project_id, entity FROM adtrail.quarantine FINAL
        WHERE worker = 'attribution')
      -- By the projection by_arrival; a decision is stored after the install that it is about.
      AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.installs
        WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC'))
    UNION ALL
    SELECT
      project_id, install_id, event_key, event_id, time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
      country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version,
      is_deleted
    FROM adtrail.app_events
    WHERE type = 'install' AND (project_id, install_id) IN (SELECT project_id, install_id FROM retried)
  ),

  -- Repeats of installs that were decided long ago.
  repeated AS (
    SELECT project_id, install_id
    FROM adtrail.installs
    WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM queued)
  )

SELECT
  {run_id:UInt64}, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip,
  ip_hash, first_country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution
FROM (
  -- The country is that of the install event received first, as journeys have it, whichever decides.
  SELECT *, argMax(country, version) OVER (PARTITION BY project_id, install_id) AS first_country
  FROM (
    -- Among the rows of one event, the one received first counts; what hides an event has the greatest version.
    SELECT * FROM queued ORDER BY version DESC LIMIT 1 BY project_id, install_id, event_key
  )
  WHERE is_deleted = 0
    AND received_at <= fromUnixTimestamp64Milli({settled:Int64}, 'UTC')
    AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM repeated)
    AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM queued
      WHERE {lane:UInt8} != 0 AND received_at <= fromUnixTimestamp64Milli({after:Int64}, 'UTC'))
  -- What the project's own server says of an install counts before what an app says of it.
  ORDER BY trusted DESC
  LIMIT 1 BY project_id, install_id
)
WINDOW of_project AS (PARTITION BY project_id ORDER BY received_at, install_id)
QUALIFY row_number() OVER of_project <= if(mapContains({project_limits:Map(UInt32, UInt32)}, project_id),
  {project_limits:Map(UInt32, UInt32)}[project_id], {limit:UInt32})
ORDER BY if({lane:UInt8} = 0, row_number() OVER of_project, 0), received_at, install_id
LIMIT {limit:UInt32}
