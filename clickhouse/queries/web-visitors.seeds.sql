-- One row per visitor of a part of a run, up to two of them.
SELECT project_id, visitor_id AS entity
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
LIMIT 2
