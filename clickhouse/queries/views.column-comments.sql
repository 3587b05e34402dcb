-- One row per column of a view in analytics, with its comment: that of the view campaign_names for the names of
-- campaigns, else of the table with the view's name, else of installs.
SELECT shown.table AS view, shown.name AS name, argMin(source.comment, source.rank) AS comment
FROM system.columns AS shown
INNER JOIN (
  SELECT table, name, comment, multiIf(table = 'campaign_names', 1, table = 'installs', 3, 2) AS rank
  FROM system.columns
  WHERE database = 'adtrail' AND comment != '' AND NOT (table = 'campaign_names' AND name = 'campaign_id')
) AS source ON source.name = shown.name
WHERE shown.database = 'analytics' AND source.table IN (shown.table, 'campaign_names', 'installs')
GROUP BY view, name
ORDER BY view, name
