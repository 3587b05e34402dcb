-- name: pause-times
-- One row per instant, in milliseconds, from which on a pause of any campaign holds or no longer holds, ascending.
SELECT floor(extract(epoch FROM paused_at) * 1000)::bigint + 1 AS ms FROM campaign_pauses
UNION
SELECT floor(extract(epoch FROM unpaused_at) * 1000)::bigint FROM campaign_pauses WHERE unpaused_at IS NOT NULL
ORDER BY ms;
