-- The greatest number of a part of a run.
SELECT max(chunk) AS chunk FROM adtrail.web_visitor_batches WHERE run_id = {run_id:UInt64}
