-- Takes up further installs: those that share a device with one of the last round, whatever kind of ID names it.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
WITH devices AS (
  SELECT DISTINCT project_id, value
  FROM adtrail.identities
  WHERE kind IN ('gaid', 'idfa')
    AND (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches
      WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = {round:UInt8} - 1)
)
SELECT DISTINCT {run_id:UInt64}, {chunk:UInt16}, {round:UInt8}, project_id, install_id
FROM adtrail.identities
WHERE (project_id, kind, value) IN (SELECT project_id, arrayJoin(['gaid', 'idfa']), value FROM devices)
  AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
  AND (project_id, install_id) NOT IN (
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state != 'retry'
  )
