-- Copies what is known of the installs that round {round} of a part of a run has taken up: one row per event and
-- decision, as it counts. Of users and devices hashes are copied, so that a run that goes on while a person is being
-- forgotten leaves nothing of them here. The settings are those of attribution.match.sql, for the same reason.
INSERT INTO adtrail.journey_records (
  run_id, chunk, round, project_id, install_id, kind, record_key, user, devices, record
)
WITH
  taken_up AS (
    SELECT project_id, install_id, reinterpretAsUUID(sipHash128(project_id, install_id)) AS install
    FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = {round:UInt8}
  ),

  -- Of the rows of a record that with the greatest version counts. No column more than these: each costs a read of its
  -- own for each install.
  records AS (
    SELECT install, kind, record_key, person, record
    FROM adtrail.records_by_install
    PREWHERE install IN (SELECT install FROM taken_up) AND kind IN ('decision', 'event')
    ORDER BY version DESC
    LIMIT 1 BY install, kind, record_key
  )

SELECT
  {run_id:UInt64}, {chunk:UInt16}, {round:UInt8}, project_id, install_id, kind, record_key,
  if(named.user_id = '', 0, sipHash64(('user', named.user_id))),
  arrayMap(
    id -> (bitShiftRight(sipHash64(project_id, 'device', id), 16), reinterpretAsUUID(sipHash128(project_id, id))),
    arrayFilter(id -> id != '', [named.gaid, named.idfa])
  ),
  record
FROM (
  SELECT
    taken_up.project_id AS project_id, taken_up.install_id AS install_id, kind, record_key, record,
    CAST(if(person = '', '(\'\',\'\',\'\')', person), 'Tuple(user_id String, gaid String, idfa String)') AS named
  FROM records
  INNER JOIN taken_up ON records.install = taken_up.install
  WHERE record != ''
)
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1
