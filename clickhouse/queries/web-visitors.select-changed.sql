-- Takes up the visitors of whom something was stored at one of {insert_times} since {since}, in milliseconds, or at any
-- time since then, whom the events {repeats} name, or who are to be tried again. Parts are stretches of the order in
-- which events lie, of about {rows_per_chunk} new rows, where a visitor counts as ten.
INSERT INTO adtrail.web_visitor_batches (run_id, chunk, project_id, visitor_id)
SELECT
  {run_id:UInt64},
  intDiv(
    sum(weight) OVER (ORDER BY project_id, visitor_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
    {rows_per_chunk:UInt32}
  ),
  project_id, visitor_id
FROM (
  SELECT project_id, visitor_id, count() + 10 AS weight
  FROM (
    SELECT project_id, visitor_id
    FROM adtrail.web_events
    WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
      AND ({all:Bool} OR toUnixTimestamp64Milli(stored_at) IN {insert_times:Array(Int64)})
    UNION ALL
    SELECT project_id, visitor_id FROM adtrail.web_events WHERE id IN {repeats:Array(UUID)}
    UNION ALL
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'web-visitors' AND state = 'retry'
  )
  WHERE (project_id, visitor_id) NOT IN (
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'web-visitors' AND state != 'retry'
  )
  GROUP BY project_id, visitor_id
)
SETTINGS max_bytes_before_external_group_by = 500000000, max_bytes_before_external_sort = 500000000
