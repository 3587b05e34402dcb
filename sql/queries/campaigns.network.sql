-- One row if project $1 has a campaign of the ad network $2.
SELECT 1 AS known
FROM campaigns
WHERE project_id = $1 AND network = $2 AND deleted_at IS NULL
LIMIT 1
