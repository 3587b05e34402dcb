-- Takes up further installs: those that share a device with one taken up before, whatever kind of ID names it. The
-- settings are those of attribution.match.sql, for the same reason.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
SELECT DISTINCT {run_id:UInt64}, {chunk:UInt16}, {round:UInt8}, project_id, install_id
FROM adtrail.installs_by_identifier
-- Column by column: most devices have no other install.
PREWHERE identifier IN (SELECT identifier FROM devices)
  AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
WHERE kind != 'user'
  AND reinterpretAsUUID(sipHash128(project_id, value)) IN (SELECT device FROM devices)
  AND (project_id, install_id) NOT IN (
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state != 'retry'
  )
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1
