-- One row per host that postbacks to partner $1 wait for, whatever their project: how many, and for how many seconds
-- the oldest does. Of the $2 oldest messages at most; the host that has waited longest first.
SELECT host, count(*)::integer AS pending, extract(epoch FROM now() - min(settled_at))::double precision AS oldest
FROM (
  SELECT host, settled_at FROM outbox WHERE partner_id = $1 AND partner_id <> 0 ORDER BY settled_at LIMIT $2
) AS waiting
GROUP BY host
ORDER BY oldest DESC, host
