-- One row per project of which a part of a run has collected a decision: of others there is no journey.
SELECT DISTINCT project_id
FROM adtrail.journey_records
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND kind = 'decision'
