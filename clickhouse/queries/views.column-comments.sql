-- One row per column name that a view {view} of analytics may show, with its comment: that of the view campaign_names
-- for the names of campaigns, else of the table with the view's name, else of installs.
SELECT name, argMin(source.comment, multiIf(table = 'campaign_names', 1, table = {view:String}, 2, 3)) AS comment
FROM system.columns AS source
WHERE database = 'adtrail' AND source.comment != '' AND table IN ({view:String}, 'campaign_names', 'installs')
  AND NOT (table = 'campaign_names' AND name = 'campaign_id')
GROUP BY name
