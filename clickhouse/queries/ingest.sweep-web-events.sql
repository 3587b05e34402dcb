-- Writes a tombstone per row of the events {ids} but the first received of each: an event counts once, whatever
-- visitor a repeat names. It is stored now, so that what was derived from the repeat is derived again.
INSERT INTO adtrail.web_events
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.web_events FINAL
WHERE id IN {ids:Array(UUID)}
  AND (id, visitor_id) NOT IN (
    SELECT id, argMax(visitor_id, version) FROM adtrail.web_events FINAL WHERE id IN {ids:Array(UUID)} GROUP BY id
  )
