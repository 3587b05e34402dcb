-- How many reinstalls a part of a run has taken up.
SELECT count() AS rows
FROM adtrail.installs
WHERE reinstall = 1 AND (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches
  WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
