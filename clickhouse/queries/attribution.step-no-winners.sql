-- Step winners where no install of the run has a candidate: no row.
SELECT
  toUInt32(0) AS project_id, '' AS install_id, 0 AS has_winner,
  CAST(('', 0, 0, '', toUUIDOrZero(''), toDateTime64(0, 3, 'UTC'), 0),
    'Tuple(rule LowCardinality(String), campaign_id UInt32, partner_id UInt32, touch_type LowCardinality(String),
      touch_id UUID, touch_time DateTime64(3, \'UTC\'), window_seconds UInt32)') AS winner,
  CAST([],
    'Array(Tuple(place UInt64, rule LowCardinality(String), touch_type LowCardinality(String), touch_id UUID,
      touch_time DateTime64(3, \'UTC\'), received_at DateTime64(3, \'UTC\'), campaign_id UInt32,
      window_seconds UInt32, reason LowCardinality(String)))') AS candidates
WHERE 0
