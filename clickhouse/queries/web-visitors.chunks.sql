-- One row per part of a run.
SELECT DISTINCT chunk FROM adtrail.web_visitor_batches WHERE run_id = {run_id:UInt64} ORDER BY chunk
