-- name: list
-- One row per install or visitor that is set aside, the first set aside first, at most {limit}.
SELECT worker, project_id, entity, toString(state) AS state, reason, set_aside_at
FROM adtrail.quarantine FINAL
ORDER BY set_aside_at, worker, project_id, entity
LIMIT {limit:UInt32};

-- name: counts
-- One row per worker and state with how much is set aside: of all projects, or of some.
SELECT worker, toString(state) AS state, count() AS entities
FROM adtrail.quarantine FINAL
WHERE {of_all:Bool} OR project_id IN {projects:Array(UInt32)}
GROUP BY worker, state;

-- name: of-project
-- How many installs or visitors of project {project_id} the derived tables {workers} lack.
SELECT count() AS entities
FROM adtrail.quarantine FINAL
WHERE worker IN {workers:Array(String)} AND project_id = {project_id:UInt32} AND state != 'dismissed';

-- name: mark
-- Moves what is in one of the states {from} to the state {to}: of one worker or entity, or of some projects, or of all
-- where the parameter is empty; only what was set aside or marked before {before}, in microseconds since 1970. With
-- {derived} it has been derived, and leaves the table.
INSERT INTO adtrail.quarantine (worker, project_id, entity, state, reason, set_aside_at, is_deleted)
SELECT worker, project_id, entity, {to:String}, reason, set_aside_at, {derived:Bool}
FROM adtrail.quarantine FINAL
WHERE ({worker:String} = '' OR worker = {worker:String})
  AND (empty({projects:Array(UInt32)}) OR project_id IN {projects:Array(UInt32)})
  AND ({entity:String} = '' OR entity = {entity:String})
  AND toString(state) IN {from:Array(String)}
  AND version < {before:UInt64};
