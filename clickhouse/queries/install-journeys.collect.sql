-- Copies what is known of the installs that round {round} of a part of a run has taken up: one row per event and
-- decision, as it counts. The settings are those of attribution.match.sql, for the same reason.
INSERT INTO adtrail.journey_records (run_id, chunk, round, project_id, install_id, kind, record_key, person, record)
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
    PREWHERE install IN (SELECT install FROM taken_up)
    ORDER BY version DESC
    LIMIT 1 BY install, kind, record_key
  )

SELECT
  {run_id:UInt64}, {chunk:UInt16}, {round:UInt8}, taken_up.project_id, taken_up.install_id, kind, record_key, person,
  record
FROM records
INNER JOIN taken_up ON records.install = taken_up.install
WHERE record != ''
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1
