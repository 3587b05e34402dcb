-- Splits a part of a run in two, {first} and {second}.
INSERT INTO adtrail.web_visitor_batches (run_id, chunk, project_id, visitor_id)
SELECT
  run_id,
  if(row_number() OVER (ORDER BY project_id, visitor_id) * 2 <= count() OVER (), {first:UInt16}, {second:UInt16}),
  project_id, visitor_id
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
