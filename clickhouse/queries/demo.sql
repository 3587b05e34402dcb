-- name: underived
-- One row: how many of a project's accepted events ClickHouse does not have yet, and how many installs the app report
-- does not show yet with everything that they did.
SELECT
  {events:UInt32}
    - assumeNotNull((SELECT count() FROM analytics.app_events WHERE project_id = {project:UInt32}))
    - assumeNotNull((SELECT count() FROM analytics.web_events WHERE project_id = {project:UInt32})) AS unstored,
  toUInt32(count()) AS installs
FROM (SELECT install_id, max(time) AS last_time FROM analytics.app_events
  WHERE project_id = {project:UInt32} GROUP BY install_id) AS sent
LEFT ANTI JOIN (SELECT install_id, last_event_time FROM adtrail.journeys FINAL WHERE project_id = {project:UInt32}
  AND report_view = 'user_acquisition') AS shown
  ON sent.install_id = shown.install_id AND sent.last_time = shown.last_event_time;
