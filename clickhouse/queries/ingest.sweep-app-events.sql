-- Writes a tombstone per row of the events {ids} but the first received of each: an event counts once, whatever
-- install a repeat names. It is stored now, so that what was derived from the repeat is derived again. The projection
-- by_id finds the rows.
INSERT INTO adtrail.app_events
WITH
  repeated AS (
    SELECT id, project_id, install_id, event_key, version FROM adtrail.app_events WHERE id IN {ids:Array(UUID)}
  ),
  first_received AS (
    SELECT id, argMax(install_id, version) AS install_id, argMax(event_key, version) AS event_key
    FROM repeated
    WHERE version < 18446744073709551615
    GROUP BY id
  )
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.app_events FINAL
WHERE (project_id, install_id, event_key) IN (SELECT project_id, install_id, event_key FROM repeated)
  AND id IN {ids:Array(UUID)}
  AND (id, install_id, event_key) NOT IN (SELECT id, install_id, event_key FROM first_received)
