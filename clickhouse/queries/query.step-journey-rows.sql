-- Step journey_rows. One row per journey of the view. What only its install knows is not asked for. Table:
-- adtrail.journeys.
SELECT
  *, '' AS country, '' AS app, '' AS rule, '' AS os_version, '' AS app_version,
  if(kind = 'reinstall', conversion_id, root_install) AS install_hash
FROM adtrail.journeys FINAL
WHERE project_id = {project_id:UInt32} AND report_view = {view:String}
  -- What neither began nor did anything since the range began counts nowhere. Days of other zones begin up to a day
  -- earlier.
  AND (start_day >= {from:Date} OR last_event_time >= subtractDays(toDateTime64({from:Date}, 3, 'UTC'), 1))
