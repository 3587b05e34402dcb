-- One row per host that messages wait for: how many, and for how many seconds the oldest does.
SELECT host, count(*)::integer AS pending, extract(epoch FROM now() - min(settled_at))::double precision AS oldest
FROM outbox
GROUP BY host
