-- One row: whom anybody is to be told of. Projects with webhooks or overrides, partners with templates, all projects
-- that have either or campaigns of such a partner, and since when (milliseconds) the oldest destination is there; null
-- where there are none.
WITH
  destination AS (
    SELECT project_id, partner_id, created_at FROM postback_templates WHERE enabled AND switched_off_at IS NULL
    UNION ALL
    SELECT project_id, NULL, created_at FROM webhooks WHERE enabled AND switched_off_at IS NULL
  ),
  concerned AS (
    SELECT project_id FROM destination WHERE project_id IS NOT NULL
    UNION
    SELECT project_id FROM campaigns WHERE partner_id IN (SELECT partner_id FROM destination)
    UNION
    SELECT project_id FROM partner_switches WHERE partner_id IN (SELECT partner_id FROM destination)
  )
SELECT
  (SELECT coalesce(array_agg(project_id), '{}') FROM concerned) AS concerned,
  coalesce(array_agg(DISTINCT project_id) FILTER (WHERE project_id IS NOT NULL), '{}') AS projects,
  coalesce(array_agg(DISTINCT partner_id) FILTER (WHERE partner_id IS NOT NULL), '{}') AS partners,
  (extract(epoch FROM min(created_at)) * 1000)::bigint AS since
FROM destination
