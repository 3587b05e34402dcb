-- One row per host that a message waits for; each costs one look at the index, however much waits for it.
WITH RECURSIVE hosts AS (
  (SELECT host FROM outbox ORDER BY host LIMIT 1)
  UNION ALL
  SELECT (SELECT host FROM outbox WHERE host > hosts.host ORDER BY host LIMIT 1) FROM hosts WHERE hosts.host IS NOT NULL
)
SELECT host FROM hosts WHERE host IS NOT NULL
