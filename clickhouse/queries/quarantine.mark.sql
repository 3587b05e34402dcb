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
  AND version < {before:UInt64}
