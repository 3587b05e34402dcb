-- name: fingerprints-of-received
-- One row per period that has rows: how many, and what they come to, in any order. {form} is how a period is written.
SELECT
  formatDateTime(received_at, {form:String}, 'UTC') AS period,
  count() AS rows,
  concat(toString(rows), '-', hex(sum(cityHash64(row))), '-', hex(groupBitXor(xxh3(row)))) AS fingerprint
FROM (SELECT received_at, tuple(*) AS row FROM records)
GROUP BY period;

-- name: fingerprints-of-attempts
-- One row per period that has rows: how many, and what they come to, in any order. {form} is how a period is written.
SELECT
  formatDateTime(attempted_at, {form:String}, 'UTC') AS period,
  count() AS rows,
  concat(toString(rows), '-', hex(sum(cityHash64(row))), '-', hex(groupBitXor(xxh3(row)))) AS fingerprint
FROM (SELECT attempted_at, tuple(*) AS row FROM records)
GROUP BY period;

-- name: fingerprints-of-touches
-- One row per period that has rows: how many, and what they come to, in any order. {form} is how a period is written;
-- an imported record is one of the beginning of the day on which it came.
SELECT
  formatDateTime(received, {form:String}, 'UTC') AS period,
  count() AS rows,
  concat(toString(rows), '-', hex(sum(cityHash64(row))), '-', hex(groupBitXor(xxh3(row)))) AS fingerprint
FROM (
  SELECT
    if(toDate(received_at) = bucket, received_at, toDateTime64(bucket, 3, 'UTC')) AS received,
    tuple(*) AS row
  FROM records
)
GROUP BY period;

-- name: fingerprint
-- One row: how many rows there are, and what they come to, in any order.
SELECT
  count() AS rows,
  concat(toString(rows), '-', hex(sum(cityHash64(row))), '-', hex(groupBitXor(xxh3(row)))) AS fingerprint
FROM (SELECT tuple(*) AS row FROM records);

-- name: part
-- The rows of part {part} of {parts}: a row is always in the same one.
SELECT * FROM records
WHERE {parts:UInt32} = 1 OR cityHash64(tuple(*)) % {parts:UInt32} = {part:UInt32};

-- name: part-rows
-- One row per part of {parts} that has rows.
SELECT toUInt32(cityHash64(tuple(*)) % {parts:UInt32}) AS part, count() AS rows
FROM records
GROUP BY part;

-- name: columns
-- The columns of view {view} of analytics in their order.
SELECT name, type FROM system.columns WHERE database = 'analytics' AND table = {view:String} ORDER BY position;
