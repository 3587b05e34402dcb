-- name: select-changed
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
SETTINGS max_bytes_before_external_group_by = 500000000, max_bytes_before_external_sort = 500000000;

-- name: seeds
-- One row per visitor of a part of a run, up to two of them.
SELECT project_id, visitor_id AS entity
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
LIMIT 2;

-- name: clear
-- Writes an empty row per visitor of a part of run {run_id}: what cannot be derived shows no former figures either.
INSERT INTO adtrail.web_visitors (project_id, visitor_id, version)
SELECT project_id, visitor_id, run_id
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16};

-- name: split
-- Splits a part of a run in two, {first} and {second}.
INSERT INTO adtrail.web_visitor_batches (run_id, chunk, project_id, visitor_id)
SELECT
  run_id,
  if(row_number() OVER (ORDER BY project_id, visitor_id) * 2 <= count() OVER (), {first:UInt16}, {second:UInt16}),
  project_id, visitor_id
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16};

-- name: empty
-- Writes an empty row per visitor of the events {ids}, with {version}, which is older than what is derived next: a
-- visitor whose only events were repeats is derived to nothing.
INSERT INTO adtrail.web_visitors (project_id, visitor_id, version)
SELECT DISTINCT project_id, visitor_id, {version:UInt64}
FROM adtrail.web_events
WHERE id IN {ids:Array(UUID)};

-- name: derive-touches
-- Writes one row per touch that is not there yet, among the events of the visitors of a part of run {run_id}.
INSERT INTO adtrail.web_touches
SELECT DISTINCT
  project_id, touch, channel, source, utm_source, utm_medium, utm_campaign, utm_id, utm_content, utm_term,
    network_campaign_id, ad_set_id, ad_id,
  {run_id:UInt64}
FROM adtrail.web_events
WHERE touch != 0
  AND (project_id, visitor_id) IN (
    SELECT project_id, visitor_id
    FROM adtrail.web_visitor_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  )
  AND (project_id, touch) NOT IN (SELECT project_id, touch FROM adtrail.web_touches);

-- name: select-former
-- Takes up, as a part of run {run_id}, up to {visitors} visitors that an earlier version derived, without
-- hits, from the one that {project_id} and {visitor_id} name on, in the order in which they lie.
INSERT INTO adtrail.web_visitor_batches (run_id, chunk, project_id, visitor_id)
SELECT {run_id:UInt64}, 0, project_id, visitor_id
FROM adtrail.web_visitors FINAL
WHERE (project_id, visitor_id) > ({project_id:UInt32}, {visitor_id:String})
  AND notEmpty(`element.day`) AND empty(`hit.time`)
ORDER BY project_id, visitor_id
LIMIT {visitors:UInt32};

-- name: last-visitor
-- The last visitor that run {run_id} took up, in the order in which they lie; none where it took up nobody.
SELECT project_id, visitor_id
FROM adtrail.web_visitor_batches
WHERE run_id = {run_id:UInt64}
ORDER BY project_id DESC, visitor_id DESC
LIMIT 1;
