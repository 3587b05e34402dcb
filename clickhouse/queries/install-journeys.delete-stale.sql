-- Drops the journeys of the installs of a part of a run that the run has not derived again.
INSERT INTO adtrail.journeys (project_id, report_view, campaign_id, root_install, conversion_id, version, is_deleted)
SELECT project_id, report_view, campaign_id, root_install, conversion_id, {run_id:UInt64}, 1
FROM adtrail.journeys
WHERE root_install IN (SELECT reinterpretAsUUID(sipHash128(install_id)) FROM adtrail.journey_batches
  WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
  AND project_id IN (SELECT project_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64}
    AND chunk = {chunk:UInt16})
GROUP BY project_id, report_view, campaign_id, root_install, conversion_id
HAVING max(version) < {run_id:UInt64} AND argMax(is_deleted, version) = 0
