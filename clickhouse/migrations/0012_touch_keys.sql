-- Touches by what they can be matched by, so that a run_id of the attribution worker finds those of its installs quickly: the
-- keys of installs lie far apart, and each is a granule to read. Small granules cannot be had of a table that exists, so the
-- tables are made anew under names of their own: a process of an older version that still decides fails, and decides nothing.

-- One row a touch and a thing it can be matched by. Written by the attribution worker from the touches as stored; of two rows
-- of one touch the one first received stays, so that a retry never changes the time or the address of a touch.
-- cluster: shard by key
CREATE TABLE IF NOT EXISTS adtrail.touch_keys (
  project_id UInt32 COMMENT 'Project',
  match LowCardinality(String) COMMENT 'What key is: gaid, idfa or ip',
  key String COMMENT 'Advertising ID or IP address' CODEC(ZSTD),
  touch_type LowCardinality(String) COMMENT 'What kind of touch it is: click, impression or ctv_impression',
  touch_id UUID COMMENT 'ID of the click or impression',
  touch_time DateTime64(3, 'UTC') COMMENT 'When the touch happened',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received it first',
  campaign_id UInt32 COMMENT 'Campaign of the touch',
  partner_id UInt32 COMMENT 'Partner that reported it; 0 for none',
  kind LowCardinality(String) COMMENT 'Where a click came from; empty for impressions',
  app_id LowCardinality(String) COMMENT 'App that the touch named; empty if it named none',
  os LowCardinality(String) COMMENT 'Operating system that the user agent names; empty if it names none',
  has_gaid UInt8 COMMENT '1: the touch has a Google advertising ID',
  has_idfa UInt8 COMMENT '1: the touch has an Apple advertising identifier',
  vt_lookback Nullable(UInt8) COMMENT 'View-through window in hours that the partner asked for',
  ad_set_id String COMMENT 'Ad set that the touch named' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of that ad set' CODEC(ZSTD),
  ad_id String COMMENT 'Ad that the touch named' CODEC(ZSTD),
  ad_name String COMMENT 'Name of that ad' CODEC(ZSTD),
  keyword_id String COMMENT 'Keyword that the touch named' CODEC(ZSTD),
  keyword_name String COMMENT 'Name of that keyword' CODEC(ZSTD),
  version UInt64 COMMENT 'Version of the row of the touch: the greater was received first'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, match, key, touch_type, touch_id)
SETTINGS index_granularity = 128
COMMENT 'Touches by what they can be matched by; derived';

-- One row a touch. A repeat of a touch can name another device or address, and then is another row of adtrail.touch_keys: only
-- rows with the version that stands here count. Written by the attribution worker, before it writes those.
-- cluster: shard by touch_id
CREATE TABLE IF NOT EXISTS adtrail.touch_versions (
  touch_id UUID COMMENT 'ID of the click or impression',
  version UInt64 COMMENT 'Greatest version of its rows: that of the delivery first received'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (touch_id)
SETTINGS index_granularity = 128
COMMENT 'Versions of touches as first received; derived';

-- One row a touch that shares an identifier with an install of a run_id: read once, looked at often.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.attribution_matches (
  run_id UInt64 COMMENT 'Turn of the attribution worker',
  project_id UInt32 COMMENT 'Project',
  match LowCardinality(String) COMMENT 'What key is: gaid, idfa or ip',
  key String COMMENT 'Advertising ID or IP address' CODEC(ZSTD),
  touch_type LowCardinality(String) COMMENT 'What kind of touch it is: click, impression or ctv_impression',
  touch_id UUID COMMENT 'ID of the click or impression',
  touch_time DateTime64(3, 'UTC') COMMENT 'When the touch happened',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received it first',
  campaign_id UInt32 COMMENT 'Campaign of the touch',
  partner_id UInt32 COMMENT 'Partner that reported it; 0 for none',
  kind LowCardinality(String) COMMENT 'Where a click came from; empty for impressions',
  app_id LowCardinality(String) COMMENT 'App that the touch named; empty if it named none',
  os LowCardinality(String) COMMENT 'Operating system that the user agent names; empty if it names none',
  has_gaid UInt8 COMMENT '1: the touch has a Google advertising ID',
  has_idfa UInt8 COMMENT '1: the touch has an Apple advertising identifier',
  vt_lookback Nullable(UInt8) COMMENT 'View-through window in hours that the partner asked for',
  ad_set_id String COMMENT 'Ad set that the touch named' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of that ad set' CODEC(ZSTD),
  ad_id String COMMENT 'Ad that the touch named' CODEC(ZSTD),
  ad_name String COMMENT 'Name of that ad' CODEC(ZSTD),
  keyword_id String COMMENT 'Keyword that the touch named' CODEC(ZSTD),
  keyword_name String COMMENT 'Name of that keyword' CODEC(ZSTD),
  version UInt64 COMMENT 'Version of the row of the touch: the greater was received first',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run_id began'
)
ENGINE = MergeTree()
ORDER BY (run_id, project_id, match, key)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Touches that a run_id of the attribution worker considers; of no interest afterwards';

-- The former ones are derived too, so that they may go however large they are.
-- cluster: shard by key
DROP TABLE IF EXISTS adtrail.touches SETTINGS max_table_size_to_drop = 0;

-- cluster: shard by touch_id
DROP TABLE IF EXISTS adtrail.first_touches SETTINGS max_table_size_to_drop = 0;
