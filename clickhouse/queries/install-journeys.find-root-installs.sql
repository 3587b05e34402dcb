-- Finds the root install of each decided install of a part of a run: one row per install. The root of a reinstall is
-- the latest install of the app on the device up to then, where one is known. Every other install is its own root.
INSERT INTO adtrail.journey_members (run_id, chunk, project_id, install_id, root_install)
WITH
  batch AS (
    SELECT project_id, install_id FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  ),
  decided AS (
    SELECT project_id, install_id, app_id, reinstall, install_time
    FROM adtrail.installs FINAL
    PREWHERE project_id IN (SELECT project_id FROM batch) AND install_id IN (SELECT install_id FROM batch)
    -- Another project may have an install of the same ID.
    WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM batch) AND is_deleted = 0
  ),
  reinstalled_devices AS (
    SELECT project_id, value AS device
    FROM adtrail.identities
    WHERE {has_reinstalls:UInt8} AND kind IN ('gaid', 'idfa')
      AND (project_id, install_id) IN (SELECT project_id, install_id FROM decided WHERE reinstall = 1)
  ),
  related_installs AS (
    SELECT install_id
    FROM adtrail.identities
    WHERE {has_reinstalls:UInt8} AND kind IN ('gaid', 'idfa')
      AND (project_id, install_id) IN (SELECT project_id, install_id FROM batch)
      AND (project_id, value) IN (SELECT project_id, device FROM reinstalled_devices)
  ),
  -- One row per related install and device. Devices are read from the events: adtrail.identities may name one of a
  -- repeat of an event, which does not count.
  devices AS (
    SELECT DISTINCT project_id, install_id, assumeNotNull(identifier) AS device
    FROM adtrail.app_events FINAL
    ARRAY JOIN [gaid, idfa] AS identifier
    PREWHERE project_id IN (SELECT project_id FROM batch) AND install_id IN (SELECT install_id FROM related_installs)
    WHERE isNotNull(identifier)
  ),
  installs_by_device AS (
    SELECT
      decided.project_id AS project_id, decided.install_id AS install_id, app_id, device, install_time, reinstall
    FROM decided
    INNER JOIN devices ON decided.project_id = devices.project_id AND decided.install_id = devices.install_id
  ),
  roots AS (
    SELECT
      again.project_id AS project_id, again.install_id AS install_id,
      argMax(earlier.install_id, (earlier.install_time, earlier.install_id)) AS root_install
    FROM installs_by_device AS again
    INNER JOIN installs_by_device AS earlier
      ON again.project_id = earlier.project_id AND again.app_id = earlier.app_id AND again.device = earlier.device
    WHERE again.reinstall = 1 AND earlier.reinstall = 0 AND earlier.install_time <= again.install_time
    GROUP BY again.project_id, again.install_id
  )
SELECT
  {run_id:UInt64}, {chunk:UInt16}, decided.project_id, decided.install_id,
  if(roots.root_install = '', decided.install_id, roots.root_install)
FROM decided
LEFT ANY JOIN roots ON decided.project_id = roots.project_id AND decided.install_id = roots.install_id
