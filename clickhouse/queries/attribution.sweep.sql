-- A tombstone for each row of {ids} but the first received of each: an event counts once, whatever install a repeat names
-- (docs/contract.md, Collectors). It is stored now, so that what is derived from the repeat is derived again. The projection by_id
-- finds the rows.
INSERT INTO adtrail.app_events
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.app_events FINAL
WHERE (project_id, install_id, event_key) IN (SELECT project_id, install_id, event_key FROM adtrail.app_events WHERE id IN {ids:Array(UUID)})
  AND id IN {ids:Array(UUID)}
  AND (id, install_id, event_key) NOT IN (
    SELECT id, first.1, first.2
    FROM (SELECT id, argMax((install_id, event_key), version) AS first FROM adtrail.app_events WHERE id IN {ids:Array(UUID)} AND version < 18446744073709551615 GROUP BY id)
  )
