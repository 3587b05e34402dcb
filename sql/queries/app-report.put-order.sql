-- Keeps the order $3 in which the first page of the report $2 of project $1 is given, and forgets old ones.
WITH old AS (
  DELETE FROM report_orders WHERE created_at < now() - interval '1 hour' AND (project_id, parameters) <> ($1, $2)
)
INSERT INTO report_orders (project_id, parameters, campaign_ids) VALUES ($1, $2, $3)
ON CONFLICT (project_id, parameters) DO UPDATE SET campaign_ids = EXCLUDED.campaign_ids, created_at = now()
