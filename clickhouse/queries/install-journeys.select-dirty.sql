-- Takes up the installs that something was stored about at these times, an event or a decision, every decided install
-- of {projects}, what is to be tried again, and where {former} the installs whose journeys lack columns. Parts are
-- stretches of the order of adtrail.records_by_install, so that each part reads only its stretch of it: of about
-- {rows_per_chunk} new rows, where an install itself counts as ten.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
SELECT {run_id:UInt64},
  intDiv(sum(weight) OVER (
    ORDER BY reinterpretAsUUID(sipHash128(project_id, install_id))
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ), {rows_per_chunk:UInt64}), 0, project_id, install_id
FROM (
  SELECT project_id, install_id, count() + 10 AS weight
  FROM (
    SELECT project_id, install_id FROM adtrail.app_events
    WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
      AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
    UNION ALL
    SELECT project_id, install_id FROM adtrail.installs
    WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
      AND ({all_installs:Bool} OR toUnixTimestamp64Milli(stored_at) IN {installs:Array(Int64)})
    UNION ALL
    SELECT project_id, install_id FROM adtrail.installs WHERE project_id IN {projects:Array(UInt32)}
    UNION ALL
    SELECT project_id, install_id FROM adtrail.journeys FINAL WHERE {former:Bool} AND layout = 0
    UNION ALL
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state = 'retry'
  )
  WHERE (project_id, install_id) NOT IN (
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state != 'retry'
  )
  GROUP BY project_id, install_id
)
SETTINGS max_bytes_before_external_group_by = 500000000, max_bytes_before_external_sort = 500000000,
  -- After an upgrade these are all installs.
  max_threads = 2, max_execution_time = 600
