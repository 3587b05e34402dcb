-- The order in which the first page of the report $2 of project $1 was given within the last hour.
SELECT campaign_ids
FROM report_orders
WHERE project_id = $1 AND parameters = $2 AND created_at > now() - interval '1 hour'
