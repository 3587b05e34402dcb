-- Takes up, as a part of run {run_id}, up to {visitors} visitors that an earlier version derived, without
-- hits, from the one that {project_id} and {visitor_id} name on, in the order in which they lie.
INSERT INTO adtrail.web_visitor_batches (run_id, chunk, project_id, visitor_id)
SELECT {run_id:UInt64}, 0, project_id, visitor_id
FROM adtrail.web_visitors FINAL
WHERE (project_id, visitor_id) > ({project_id:UInt32}, {visitor_id:String})
  AND notEmpty(`element.day`) AND empty(`hit.time`)
ORDER BY project_id, visitor_id
LIMIT {visitors:UInt32}
