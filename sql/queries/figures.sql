-- name: pauses
-- One row per pause of a campaign of project $1: events later than paused_at count for nothing until unpaused_at. Both
-- in milliseconds, paused_at as the first that is later; unpaused_at is null while it lasts.
SELECT campaign_id, floor(extract(epoch FROM paused_at) * 1000)::bigint + 1 AS from_ms,
  floor(extract(epoch FROM unpaused_at) * 1000)::bigint AS until_ms
FROM campaign_pauses JOIN campaigns ON campaigns.id = campaign_pauses.campaign_id
WHERE campaigns.project_id = $1
ORDER BY campaign_id, paused_at;
