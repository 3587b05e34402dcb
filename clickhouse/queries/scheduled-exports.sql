-- name: clicks
-- The records of a project that were received from {from} until before {to}. View: analytics.clicks.
SELECT *
FROM analytics.clicks
WHERE project_id = {project_id:UInt32}
  AND bucket BETWEEN toDate(toDateTime64({from:String}, 3, 'UTC')) AND toDate(toDateTime64({to:String}, 3, 'UTC'))
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: impressions
-- The records of a project that were received from {from} until before {to}. View: analytics.impressions.
SELECT *
FROM analytics.impressions
WHERE project_id = {project_id:UInt32}
  AND bucket BETWEEN toDate(toDateTime64({from:String}, 3, 'UTC')) AND toDate(toDateTime64({to:String}, 3, 'UTC'))
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: ctv-impressions
-- The records of a project that were received from {from} until before {to}. View: analytics.ctv_impressions.
SELECT *
FROM analytics.ctv_impressions
WHERE project_id = {project_id:UInt32}
  AND bucket BETWEEN toDate(toDateTime64({from:String}, 3, 'UTC')) AND toDate(toDateTime64({to:String}, 3, 'UTC'))
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: installs
-- The records of a project that were received from {from} until before {to}. View: analytics.installs.
SELECT *
FROM analytics.installs
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: app-events
-- The records of a project that were received from {from} until before {to}. View: analytics.app_events.
SELECT *
FROM analytics.app_events
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: web-events
-- The records of a project that were received from {from} until before {to}. View: analytics.web_events.
SELECT *
FROM analytics.web_events
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: spend
-- The records of a project that were received from {from} until before {to}. View: analytics.ad_spend.
SELECT *
FROM analytics.ad_spend
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: postbacks
-- The attempts of a project that began from {from} until before {to}. View: analytics.postbacks.
SELECT *
FROM analytics.postbacks
WHERE project_id = {project_id:UInt32}
  AND attempted_at >= toDateTime64({from:String}, 3, 'UTC')
  AND attempted_at < toDateTime64({to:String}, 3, 'UTC');

-- name: fingerprints
-- One row per period that has rows: how many, and what they come to, in any order. {form} is how a period is written.
SELECT
  formatDateTime(received_at, {form:String}, 'UTC') AS period,
  count() AS rows,
  concat(toString(rows), '-', hex(sum(sipHash64(text))), '-', hex(groupBitXor(cityHash64(text)))) AS fingerprint
FROM (SELECT received_at, toString(tuple(*)) AS text FROM records)
GROUP BY period;

-- name: fingerprints-of-attempts
-- One row per period that has rows: how many, and what they come to, in any order. {form} is how a period is written.
SELECT
  formatDateTime(attempted_at, {form:String}, 'UTC') AS period,
  count() AS rows,
  concat(toString(rows), '-', hex(sum(sipHash64(text))), '-', hex(groupBitXor(cityHash64(text)))) AS fingerprint
FROM (SELECT attempted_at, toString(tuple(*)) AS text FROM records)
GROUP BY period;

-- name: fingerprint
-- One row: how many rows there are, and what they come to, in any order.
SELECT
  count() AS rows,
  concat(toString(rows), '-', hex(sum(sipHash64(text))), '-', hex(groupBitXor(cityHash64(text)))) AS fingerprint
FROM (SELECT toString(tuple(*)) AS text FROM records);

-- name: part
-- The rows of part {part} of {parts}: a row is always in the same one.
SELECT * FROM records
WHERE {parts:UInt32} = 1 OR sipHash64(toString(tuple(*))) % {parts:UInt32} = {part:UInt32};

-- name: part-rows
-- One row per part of {parts} that has rows.
SELECT toUInt32(sipHash64(toString(tuple(*))) % {parts:UInt32}) AS part, count() AS rows
FROM records
GROUP BY part;

-- name: columns
-- The columns of view {view} of analytics in their order.
SELECT name, type FROM system.columns WHERE database = 'analytics' AND table = {view:String} ORDER BY position;
