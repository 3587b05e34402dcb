-- One row per install or visitor that is set aside, the first set aside first, at most {limit}.
SELECT worker, project_id, entity, toString(state) AS state, reason, set_aside_at
FROM adtrail.quarantine FINAL
ORDER BY set_aside_at, worker, project_id, entity
LIMIT {limit:UInt32}
