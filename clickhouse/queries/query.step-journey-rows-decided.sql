-- Step journey_rows of queries that ask for the app of an install or the rule that decided it. One row per journey of
-- the view. A re-engagement has no rule. Tables: adtrail.journeys, adtrail.installs.
SELECT
  journey.*, CAST(decision.app_id, 'String') AS app,
  if(journey.kind = 'reengagement', '', CAST(decision.rule, 'String')) AS rule
FROM (
  SELECT
    *, '' AS country, '' AS os_version, '' AS app_version,
    if(kind = 'reinstall', conversion_id, root_install) AS install_hash
  FROM adtrail.journeys FINAL
  WHERE project_id = {project_id:UInt32} AND report_view = {view:String}
    -- What neither began nor did anything since the range began counts nowhere. Days of other zones begin up to a day
    -- earlier.
    AND (start_day >= {from:Date} OR last_event_time >= subtractDays(toDateTime64({from:Date}, 3, 'UTC'), 1))
) AS journey
LEFT ANY JOIN (
  SELECT reinterpretAsUUID(sipHash128(install_id)) AS install_hash, app_id, rule
  FROM adtrail.installs FINAL
  WHERE project_id = {project_id:UInt32}
) AS decision ON journey.install_hash = decision.install_hash
