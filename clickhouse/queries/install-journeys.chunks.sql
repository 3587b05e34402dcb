-- One row a part of a run_id.
SELECT DISTINCT chunk FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64} ORDER BY chunk
