-- name: received
-- One row: whether anything of the project is stored in each of the tables.
SELECT
  coalesce((
    SELECT count() FROM (SELECT 1 FROM adtrail.app_events WHERE project_id = {project_id:UInt32} LIMIT 1)
  ), 0) > 0 AS app_event,
  coalesce((
    SELECT count() FROM (SELECT 1 FROM adtrail.web_events WHERE project_id = {project_id:UInt32} LIMIT 1)
  ), 0) > 0 AS web_event,
  coalesce((
    SELECT count() FROM (SELECT 1 FROM adtrail.clicks WHERE project_id = {project_id:UInt32} LIMIT 1)
  ), 0) > 0 AS click,
  coalesce((
    SELECT count() FROM (
      SELECT 1 FROM adtrail.ad_spend FINAL WHERE project_id = {project_id:UInt32} AND is_deleted = 0 LIMIT 1
    )
  ), 0) > 0 AS spend;

-- name: refused-requests
-- One row per endpoint and reason: S2S requests that named the project and were refused in this hour or the one before.
-- Table: adtrail.s2s_requests.
SELECT 's2s' AS source, outcome AS reason, kind AS field, sum(requests) AS refused, max(hour) AS last_at
FROM adtrail.s2s_requests FINAL
WHERE project_id = {project_id:UInt32} AND outcome != 'accepted'
  AND hour >= toStartOfHour(fromUnixTimestamp64Milli({since:Int64}, 'UTC'))
GROUP BY outcome, kind
ORDER BY refused DESC, reason, field
LIMIT 50;
