-- Step journey_rows of queries that ask for what only the install of a journey knows: its country, its app, the rule
-- that decided, and the versions that its device named. One row per journey of the view. A re-engagement has no rule.
-- Tables: adtrail.journeys, adtrail.installs, adtrail.app_events.
SELECT
  journey.*, CAST(decision.app_id, 'String') AS app,
  if(journey.kind = 'reengagement', '', CAST(decision.rule, 'String')) AS rule,
  CAST(install_event.country, 'String') AS country,
  install_event.os_version AS os_version, install_event.app_version AS app_version
FROM (
  SELECT *, if(kind = 'reinstall', conversion_id, root_install) AS install_hash
  FROM adtrail.journeys FINAL
  WHERE project_id = {project_id:UInt32} AND report_view = {view:String}
) AS journey
LEFT ANY JOIN (
  SELECT reinterpretAsUUID(sipHash128(install_id)) AS install_hash, app_id, rule
  FROM adtrail.installs FINAL
  WHERE project_id = {project_id:UInt32}
) AS decision ON journey.install_hash = decision.install_hash
LEFT ANY JOIN (
  SELECT
    reinterpretAsUUID(sipHash128(install_id)) AS install_hash, country,
    JSONExtractString(device, 'os_version') AS os_version, JSONExtractString(device, 'app_version') AS app_version
  FROM adtrail.app_events FINAL
  WHERE project_id = {project_id:UInt32} AND type = 'install'
) AS install_event ON journey.install_hash = install_event.install_hash
