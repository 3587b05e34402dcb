-- name: column-comments
-- One row per view of analytics, of {views}, and column name that it may show, with the column's comment: that of the
-- view campaign_names for the names of campaigns beside a record, else of the table with the view's name, or of clicks
-- for tracked_clicks, else of installs.
WITH if(view = 'tracked_clicks', 'clicks', view) AS shown
SELECT
  arrayJoin({views:Array(String)}) AS view,
  if(view = 'installs' AND source.name = 'campaign_network', 'network', source.name) AS name,
  argMin(source.comment, multiIf(
    table = 'campaign_names' AND view != 'campaigns', 1, table = shown, 2, 3)) AS comment
FROM system.columns AS source
WHERE database = 'adtrail' AND source.comment != ''
  AND table IN (shown, 'campaign_names', 'installs')
  AND NOT (table = 'campaign_names' AND source.name IN ('campaign_id', 'campaign_project_id'))
GROUP BY view, name;

-- name: made
-- One row: what the views {views} are made of, as database.name, by whom and by which ClickHouse they would be made,
-- and what was noted once all were made; null for nothing. Tables: system.tables, adtrail.applied_migrations.
SELECT
  currentUser() AS maker,
  version() AS engine,
  arraySort(groupArray((concat(database, '.', name), create_table_query))) AS views,
  (SELECT sha256 FROM adtrail.applied_migrations FINAL WHERE name = 'views') AS noted
FROM system.tables
WHERE concat(database, '.', name) IN {views:Array(String)};
