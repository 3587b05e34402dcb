-- Takes up to {limit} installs that are not decided yet into run {run_id}: those put into the queue from {from} on, or
-- set aside and to be tried again, and received up to {settled} (milliseconds since 1970). Projects take turns, so that
-- none waits for the backlog of another; of one project those received first come first, at most so many as
-- {project_limits} says. Lane {lane} of {lanes} takes up its own of which nothing was received up to {after}, first
-- received first; 0 stands for all.
INSERT INTO adtrail.attribution_batches (
  run_id, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash, ua,
  os, referrer_click_id, referrer_click_time, install_begin_time, attribution
)
SELECT
  {run_id:UInt64}, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip,
  ip_hash, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution
FROM (
  SELECT *
  FROM (
    -- Of the rows of one event that counts which was received first; what hides an event has the greatest version.
    SELECT * FROM queued ORDER BY version DESC LIMIT 1 BY project_id, install_id, event_key
  )
  WHERE is_deleted = 0
    AND received_at <= fromUnixTimestamp64Milli({settled:Int64}, 'UTC')
    -- Repeats of installs that were decided long ago.
    AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.installs
      WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM queued))
    AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM passed)
  -- What the project's own server says of an install counts before what an app says of it.
  ORDER BY trusted DESC
  LIMIT 1 BY project_id, install_id
)
WINDOW of_project AS (PARTITION BY project_id ORDER BY received_at, install_id)
QUALIFY row_number() OVER of_project <= if(mapContains({project_limits:Map(UInt32, UInt32)}, project_id),
  {project_limits:Map(UInt32, UInt32)}[project_id], {limit:UInt32})
ORDER BY if({lane:UInt8} = 0, row_number() OVER of_project, 0), received_at, install_id
LIMIT {limit:UInt32}
