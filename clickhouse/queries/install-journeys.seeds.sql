-- One row per install that a part of a run is about, up to two of them.
SELECT DISTINCT project_id, install_id AS entity
FROM adtrail.journey_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = 0
LIMIT 2
