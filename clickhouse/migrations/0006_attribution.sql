-- Attribution: the decision about each install, and the tables in which a decision looks things up.

-- One row per install, decided for good: of two decisions the first stays.
-- cluster: shard by install_id
CREATE TABLE IF NOT EXISTS adtrail.installs (
  project_id UInt32 COMMENT 'Project that the install belongs to',
  install_id String COMMENT 'Installation of the app, as its SDK names it' CODEC(ZSTD),
  event_id String COMMENT 'ID of the install event' CODEC(ZSTD),
  install_time DateTime64(3, 'UTC') COMMENT 'When the app was installed',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the install',
  decided_at DateTime64(3, 'UTC') COMMENT 'When the attribution was decided',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When ClickHouse stored the row',
  app_id LowCardinality(String) COMMENT 'App: Android package name or App Store ID with its id prefix',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS, as the app is',
  reinstall UInt8 COMMENT '1: the device had the app before, so this is a reinstall and not an install',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the device' CODEC(ZSTD),
  rule LowCardinality(String)
    COMMENT 'Rule that decided, for example device_click; organic for none',
  campaign_id UInt32 COMMENT 'Campaign that the install is credited to; 0 for organic',
  partner_id UInt32 COMMENT 'Partner of the credited touch; 0 for none',
  touch_type LowCardinality(String) COMMENT 'What was credited: click, impression or ctv_impression; empty for organic',
  touch_id Nullable(UUID) COMMENT 'ID of the credited click or impression, where it is one of ours',
  touch_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the credited touch happened',
  window_seconds Nullable(UInt32) COMMENT 'Window that applied to the credited touch, in seconds',
  touch_to_install_ms Nullable(Int64) COMMENT 'Milliseconds from the credited touch to the install',
  ad_set_id String COMMENT 'Ad set of the credited touch' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of that ad set' CODEC(ZSTD),
  ad_id String COMMENT 'Ad of the credited touch' CODEC(ZSTD),
  ad_name String COMMENT 'Name of that ad' CODEC(ZSTD),
  ad_type LowCardinality(String) COMMENT 'Type of that ad',
  keyword_id String COMMENT 'Keyword of the credited touch' CODEC(ZSTD),
  keyword_name String COMMENT 'Name of that keyword' CODEC(ZSTD),
  publisher_platform LowCardinality(String) COMMENT 'Where the ad network showed the ad',
  platform_position LowCardinality(String) COMMENT 'Position at which it showed the ad',
  click_injection UInt8 COMMENT '1: suspicious, the click came too shortly before the install',
  install_hijacking UInt8 COMMENT '1: suspicious, the click came after the download had begun',
  candidates Array(Tuple(
    rule String, touch_type String, touch_id UUID, touch_time DateTime64(3, 'UTC'),
    received_at DateTime64(3, 'UTC'), campaign_id UInt32, window_seconds UInt32, verdict String
  ))
    COMMENT 'Latest 100 touches considered: the rule each matched and its verdict' CODEC(ZSTD),
  version UInt64
    COMMENT 'Decision in microseconds, counted down from 2^53 - 1: of two decisions the first stays',
  PROJECTION by_arrival (SELECT stored_at, project_id, install_id ORDER BY stored_at),
  PROJECTION by_touch (SELECT touch_id, project_id, rule, install_id, version ORDER BY touch_id)
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, install_id)
SETTINGS index_granularity = 1024, deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Installs and their attribution; query analytics.installs, which shows each exactly once';

-- One row per touch and identifier that it can be matched by. A retry never changes the time or address of a touch: of
-- two rows of one touch the first received stays. Granules are small, because the keys of installs lie far apart.
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

-- One row per touch: which of its deliveries counts. A repeat may name another device or address, and is then another
-- row of adtrail.touch_keys; only the row with the version that stands here is eligible.
-- cluster: shard by touch_id
CREATE TABLE IF NOT EXISTS adtrail.touch_versions (
  touch_id UUID COMMENT 'ID of the click or impression',
  version UInt64 COMMENT 'Greatest version of its rows: that of the delivery first received'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (touch_id)
SETTINGS index_granularity = 128
COMMENT 'Versions of touches as first received; derived';

-- One row per install and identifier that any of its events named.
-- cluster: shard by value
CREATE TABLE IF NOT EXISTS adtrail.identities (
  project_id UInt32 COMMENT 'Project',
  kind LowCardinality(String) COMMENT 'What value is: gaid, idfa or user',
  value String COMMENT 'Advertising ID, or identifier of the user in the system of the advertiser' CODEC(ZSTD),
  install_id String COMMENT 'Install' CODEC(ZSTD)
)
ENGINE = ReplacingMergeTree()
ORDER BY (project_id, kind, value, install_id)
SETTINGS index_granularity = 1024
COMMENT 'Installs by the identifiers of their device and user; derived';

-- One row per install that a run decides, as first received.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.attribution_batches (
  run_id UInt64 COMMENT 'Run that decides installs',
  project_id UInt32 COMMENT 'Project',
  install_id String COMMENT 'Install',
  event_id String COMMENT 'ID of the install event',
  install_time DateTime64(3, 'UTC') COMMENT 'When the app was installed',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the install',
  app_id LowCardinality(String) COMMENT 'App that was installed',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device; empty if there is none',
  ua String COMMENT 'User agent of the device',
  os LowCardinality(String) COMMENT 'Operating system that the user agent names; empty if it names none',
  referrer_click_id Nullable(UUID) COMMENT 'Click that the install referrer names',
  referrer_click_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the store was opened, by the install referrer',
  install_begin_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the download began, by the install referrer',
  attribution String COMMENT 'Attribution given with the install, as a JSON object; empty if none was given',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run_id began'
)
ENGINE = MergeTree()
ORDER BY (run_id, project_id, install_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Installs that a run_id of the attribution worker decides; of no interest afterwards';

-- One row per touch that shares an identifier with an install of a run.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.attribution_matches (
  run_id UInt64 COMMENT 'Run that decides installs',
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
