-- One row: whom anybody is to be told of. Projects with webhooks or overrides, partners with templates, and since when
-- (milliseconds) the oldest of them is there; null where there are none.
SELECT
  coalesce(array_agg(DISTINCT project_id) FILTER (WHERE project_id IS NOT NULL), '{}') AS projects,
  coalesce(array_agg(DISTINCT partner_id) FILTER (WHERE partner_id IS NOT NULL), '{}') AS partners,
  (extract(epoch FROM min(created_at)) * 1000)::bigint AS since
FROM (
  SELECT project_id, partner_id, created_at FROM postback_templates WHERE enabled AND switched_off_at IS NULL
  UNION ALL
  SELECT project_id, NULL, created_at FROM webhooks WHERE enabled AND switched_off_at IS NULL
) AS destination
