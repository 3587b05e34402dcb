-- One row per project of which a part of a run has taken up installs.
SELECT DISTINCT project_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
