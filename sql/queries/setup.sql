-- name: configured
-- One row: whether project $1 has an app, a domain that is proven, and a key that works.
SELECT EXISTS (SELECT FROM apps WHERE project_id = $1) AS app,
  EXISTS (SELECT FROM domains WHERE project_id = $1) AS domain,
  EXISTS (SELECT FROM project_keys WHERE project_id = $1 AND revoked_at IS NULL) AS key;

-- name: refusals
-- One row per collector, reason and field: what of project $1 was refused since $2, and in which minute last; the
-- latest first, at most 50.
SELECT source, reason, field, sum(refused)::bigint AS refused, max(minute) AS last_at
FROM collector_refusals
WHERE project_id = $1 AND minute >= $2
GROUP BY source, reason, field
ORDER BY last_at DESC, refused DESC, source, reason, field
LIMIT 50;
