-- Finds the reinstalls of run {run_id}: one row per install whose device had an event in the same app before, within
-- reinstall_window_days. Only events count that were received by the time the install was. The settings are those of
-- attribution.match.sql, for the same reason.
INSERT INTO adtrail.attribution_reinstalls (run_id, project_id, install_id)
WITH
  devices AS (
    SELECT project_id, install_id, kind, assumeNotNull(value) AS value
    FROM adtrail.attribution_batches
    ARRAY JOIN ['gaid', 'idfa'] AS kind, [toString(gaid), toString(idfa)] AS value
    WHERE run_id = {run_id:UInt64} AND isNotNull(value)
  ),

  -- Installs whose events name one of these devices.
  known_installs AS (
    SELECT project_id, toString(kind) AS kind, value, install_id
    FROM adtrail.installs_by_identifier
    -- Before the other columns are read.
    PREWHERE identifier IN (SELECT bitShiftRight(sipHash64(project_id, 'device', value), 16) FROM devices)
    WHERE (project_id, kind, value) IN (SELECT project_id, kind, value FROM devices)
  ),

  -- One row per install of the run and other install on its device.
  earlier_installs AS (
    SELECT DISTINCT
      devices.project_id AS project_id, devices.install_id AS install_id, known_installs.install_id AS other_install_id
    FROM devices
    INNER JOIN known_installs ON devices.project_id = known_installs.project_id
      AND devices.kind = known_installs.kind AND devices.value = known_installs.value
    WHERE other_install_id != install_id
  ),

  events AS (
    SELECT project_id, install_id, app_id, time, received_at, gaid, idfa
    FROM adtrail.app_events FINAL
    PREWHERE (project_id, install_id) IN (SELECT project_id, other_install_id FROM earlier_installs)
  )

SELECT DISTINCT {run_id:UInt64}, batch.project_id, batch.install_id
FROM earlier_installs AS earlier
INNER JOIN (
  SELECT project_id, install_id, install_time, received_at, app_id, gaid, idfa
  FROM adtrail.attribution_batches
  WHERE run_id = {run_id:UInt64}
) AS batch ON earlier.project_id = batch.project_id AND earlier.install_id = batch.install_id
LEFT ANY JOIN (SELECT project_id, reinstall_window_days FROM adtrail.projects FINAL) AS project
  ON earlier.project_id = project.project_id
INNER JOIN events AS event ON earlier.project_id = event.project_id AND earlier.other_install_id = event.install_id
WHERE event.received_at <= batch.received_at
GROUP BY batch.project_id, batch.install_id, earlier.other_install_id
-- What adtrail.installs_by_identifier notes of a repeat of an event does not count: the device must be that of an event
-- itself.
HAVING countIf(ifNull(event.gaid = batch.gaid, 0) OR ifNull(event.idfa = batch.idfa, 0)) > 0
  AND countIf(
    event.app_id = batch.app_id AND event.time < batch.install_time
    AND event.time >= batch.install_time - toIntervalDay(project.reinstall_window_days)
  ) > 0
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1
