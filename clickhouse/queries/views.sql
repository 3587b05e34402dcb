-- name: column-comments
-- One row per column name that a view {view} of analytics may show, with its comment: that of the view campaign_names
-- for the names of campaigns beside a record, else of the table with the view's name, or of clicks for tracked_clicks,
-- else of installs.
WITH if({view:String} = 'tracked_clicks', 'clicks', {view:String}) AS shown
SELECT
  if({view:String} = 'installs' AND source.name = 'campaign_network', 'network', source.name) AS name,
  argMin(source.comment, multiIf(
    table = 'campaign_names' AND {view:String} != 'campaigns', 1, table = shown, 2, 3)) AS comment
FROM system.columns AS source
WHERE database = 'adtrail' AND source.comment != ''
  AND table IN (shown, 'campaign_names', 'installs')
  AND NOT (table = 'campaign_names' AND source.name IN ('campaign_id', 'campaign_project_id'))
GROUP BY name;
