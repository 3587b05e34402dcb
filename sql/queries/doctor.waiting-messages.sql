-- One row per host that a message has waited for, for more than $1 seconds: how many wait, and how long the oldest.
SELECT host, count(*)::integer AS messages, floor(extract(epoch FROM now() - min(settled_at)))::float8 AS seconds
FROM outbox
GROUP BY host
HAVING min(settled_at) < now() - make_interval(secs => $1)
ORDER BY seconds DESC
LIMIT 5
