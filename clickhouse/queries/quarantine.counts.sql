-- One row per worker and state with how much is set aside: of all projects, or of some.
SELECT worker, toString(state) AS state, count() AS entities
FROM adtrail.quarantine FINAL
WHERE {of_all:Bool} OR project_id IN {projects:Array(UInt32)}
GROUP BY worker, state
