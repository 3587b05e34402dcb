-- One row per campaign of {campaigns} that anybody is attributed to: how many installs and reinstalls it is credited
-- with.
SELECT campaign_id, count() AS users
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND campaign_id IN {campaigns:Array(UInt32)} AND is_deleted = 0
GROUP BY campaign_id
