-- One row per partner with a campaign in project $1: from each partner the index leads to the next, over all of its
-- campaigns.
WITH RECURSIVE present AS (
  (
    SELECT partner_id
    FROM campaigns
    WHERE project_id = $1 AND deleted_at IS NULL AND partner_id IS NOT NULL
    ORDER BY partner_id
    LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT partner_id
    FROM campaigns
    WHERE project_id = $1 AND deleted_at IS NULL AND partner_id > present.partner_id
    ORDER BY partner_id
    LIMIT 1
  )
  FROM present
  WHERE partner_id IS NOT NULL
)
SELECT id, name
FROM partners JOIN present ON partner_id = id
