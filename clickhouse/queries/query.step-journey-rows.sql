-- Step journey_rows. One row per journey of the view. What only its install knows is not asked for. Table:
-- adtrail.journeys.
SELECT *, '' AS country, '' AS app, '' AS rule, '' AS os_version, '' AS app_version
FROM adtrail.journeys FINAL
WHERE project_id = {project_id:UInt32} AND report_view = {view:String}
