-- name: attributed-users
-- One row per campaign of {campaigns} that anybody is attributed to: how many installs and reinstalls it is credited
-- with.
SELECT campaign_id, count() AS users
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND campaign_id IN {campaigns:Array(UInt32)} AND is_deleted = 0
GROUP BY campaign_id;

-- name: copied-revision
-- The greatest revision of any campaign copied so far with all its columns; 0 before the first.
SELECT max(revision) AS revision FROM adtrail.campaigns WHERE layout = 2;

-- name: time-zones
-- One row per time zone that ClickHouse knows.
SELECT time_zone AS name FROM system.time_zones;
