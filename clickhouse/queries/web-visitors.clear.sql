-- Writes an empty row per visitor of a part of run {run_id}: what cannot be derived shows no former figures either.
INSERT INTO adtrail.web_visitors (project_id, visitor_id, version)
SELECT project_id, visitor_id, run_id
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
