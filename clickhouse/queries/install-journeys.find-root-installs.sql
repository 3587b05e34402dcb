-- Finds, of each decided install of a part of a run, the install that it repeats: for a reinstall the latest
-- install of the app on the device up to then, where one is known, else itself.
INSERT INTO adtrail.journey_members (run_id, chunk, project_id, install_id, root_install)
WITH
  decided AS (
    SELECT project_id, install_id, app_id, reinstall, install_time
    FROM adtrail.installs FINAL
    PREWHERE project_id IN (SELECT project_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64}
      AND chunk = {chunk:UInt16})
      AND install_id IN (SELECT install_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64}
        AND chunk = {chunk:UInt16})
    -- Another project may have an install of the same ID.
    WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches
      WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
  ),
  -- Installs that are noted with a device of a reinstall. What was noted of a repeat of an event does not count in
  -- the end: which devices they have is read from their events, and from theirs alone.
  related AS (
    SELECT install_id
    FROM adtrail.identities
    WHERE {has_reinstalls:UInt8} AND kind IN ('gaid', 'idfa')
      AND (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches
        WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
      AND (project_id, value) IN (
        SELECT project_id, value FROM adtrail.identities
        WHERE {has_reinstalls:UInt8} AND kind IN ('gaid', 'idfa')
          AND (project_id, install_id) IN (SELECT project_id, install_id FROM decided WHERE reinstall = 1)
      )
  ),
  devices AS (
    SELECT DISTINCT project_id, install_id, assumeNotNull(identifier) AS device
    FROM (
      SELECT project_id, install_id, arrayJoin([gaid, idfa]) AS identifier
      FROM adtrail.app_events FINAL
      PREWHERE project_id IN (SELECT project_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64}
        AND chunk = {chunk:UInt16}) AND install_id IN (SELECT install_id FROM related)
    )
    WHERE identifier IS NOT NULL
  ),
  firsts AS (
    SELECT decided.project_id AS project_id, decided.app_id AS app_id, decided.install_id AS install_id,
      decided.install_time AS install_time, devices.device AS device
    FROM decided INNER JOIN devices ON decided.project_id = devices.project_id
      AND decided.install_id = devices.install_id
    WHERE decided.reinstall = 0
  ),
  repeats AS (
    SELECT decided.project_id AS project_id, decided.app_id AS app_id, decided.install_id AS install_id,
      decided.install_time AS install_time, devices.device AS device
    FROM decided INNER JOIN devices ON decided.project_id = devices.project_id
      AND decided.install_id = devices.install_id
    WHERE decided.reinstall = 1
  ),
  bases AS (
    SELECT repeats.project_id AS project_id, repeats.install_id AS install_id,
      argMax(firsts.install_id, (firsts.install_time, firsts.install_id)) AS base
    FROM repeats INNER JOIN firsts ON repeats.project_id = firsts.project_id AND repeats.app_id = firsts.app_id
      AND repeats.device = firsts.device
    WHERE firsts.install_time <= repeats.install_time
    GROUP BY project_id, install_id
  )
SELECT {run_id:UInt64}, {chunk:UInt16}, decided.project_id, decided.install_id,
  if(bases.base = '', decided.install_id, bases.base)
FROM decided LEFT ANY JOIN bases ON decided.project_id = bases.project_id AND decided.install_id = bases.install_id
