-- Step returns. One row per open of run {run_id} by a link of a campaign that is a re-engagement: 24 hours after its
-- install at the earliest, and after inactivity_days without an event.
SELECT opened.project_id AS project_id, opened.id AS id, 1 AS is_return
FROM (
  SELECT project_id, install_id, id, time
  FROM adtrail.outbox_batches
  WHERE run_id = {run_id:UInt64} AND type = 'open' AND link_campaign_id != 0
    AND time >= install_time + INTERVAL 24 HOUR
) AS opened
INNER JOIN (
  SELECT project_id, install_id, time
  FROM adtrail.app_events FINAL
  WHERE (project_id, install_id) IN (
    SELECT project_id, install_id
    FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND type = 'open' AND link_campaign_id != 0
  )
) AS other ON opened.project_id = other.project_id AND opened.install_id = other.install_id
LEFT ANY JOIN (SELECT project_id, inactivity_days FROM adtrail.projects FINAL) AS project
  ON opened.project_id = project.project_id
GROUP BY project_id, id, opened.time, project.inactivity_days
HAVING dateDiff('millisecond', maxIf(other.time, other.time < opened.time), opened.time)
  >= project.inactivity_days * 86400000
