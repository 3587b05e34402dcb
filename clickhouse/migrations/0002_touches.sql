-- The facts that partners report: clicks, impressions and connected-TV impressions.

-- One row a click, as first received.
-- The key holds no time finer than a day, so that concurrent retries of one record meet and the first stays. The
-- projection finds a record by its ID whatever its day: it is how a repeat after months is recognised.
-- cluster: shard by click_id
CREATE TABLE IF NOT EXISTS adtrail.clicks (
  project_id UInt32 COMMENT 'Project that the record belongs to',
  bucket Date COMMENT 'UTC day on which the record was first received; partitions are months of it',
  campaign_id UInt32 COMMENT 'Campaign that the touch is for',
  click_id UUID COMMENT 'ID of the click, a function of campaign and tid',
  click_time DateTime64(3, 'UTC') COMMENT 'When the ad was clicked',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the record first',
  partner_id UInt32 COMMENT 'Partner that reported the touch; 0 for none',
  kind LowCardinality(String) COMMENT 'Where the click came from: s2s',
  app_id LowCardinality(String) COMMENT 'App that the touch named: Android package name or App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender' CODEC(ZSTD),
  s2 String COMMENT 'Passthrough value s2' CODEC(ZSTD),
  s3 String COMMENT 'Passthrough value s3' CODEC(ZSTD),
  s4 String COMMENT 'Passthrough value s4' CODEC(ZSTD),
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device in canonical form; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the device' CODEC(ZSTD),
  version UInt64 COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the greater, so the first received, stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a later repeat of a record that an earlier bucket holds; FINAL drops it',
  INDEX click_time_range click_time TYPE minmax GRANULARITY 1,
  PROJECTION by_id (SELECT click_id, bucket ORDER BY click_id)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket)
ORDER BY (project_id, bucket, campaign_id, click_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Clicks; query analytics.clicks, which shows each exactly once';

-- One row an impression, as first received.
-- The key holds no time finer than a day, so that concurrent retries of one record meet and the first stays. The
-- projection finds a record by its ID whatever its day: it is how a repeat after months is recognised.
-- cluster: shard by impression_id
CREATE TABLE IF NOT EXISTS adtrail.impressions (
  project_id UInt32 COMMENT 'Project that the record belongs to',
  bucket Date COMMENT 'UTC day on which the record was first received; partitions are months of it',
  campaign_id UInt32 COMMENT 'Campaign that the touch is for',
  impression_id UUID COMMENT 'ID of the impression, a function of campaign and tid',
  impression_time DateTime64(3, 'UTC') COMMENT 'When the ad was shown',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the record first',
  partner_id UInt32 COMMENT 'Partner that reported the touch; 0 for none',
  app_id LowCardinality(String) COMMENT 'App that the touch named: Android package name or App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender' CODEC(ZSTD),
  s2 String COMMENT 'Passthrough value s2' CODEC(ZSTD),
  s3 String COMMENT 'Passthrough value s3' CODEC(ZSTD),
  s4 String COMMENT 'Passthrough value s4' CODEC(ZSTD),
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  vt_lookback Nullable(UInt8) COMMENT 'View-through window in hours that the partner asked for; it can only shorten the window of the advertiser',
  ip String COMMENT 'Public IP address of the device, for reporting only, never for matching; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the device' CODEC(ZSTD),
  version UInt64 COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the greater, so the first received, stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a later repeat of a record that an earlier bucket holds; FINAL drops it',
  INDEX impression_time_range impression_time TYPE minmax GRANULARITY 1,
  PROJECTION by_id (SELECT impression_id, bucket ORDER BY impression_id)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket)
ORDER BY (project_id, bucket, campaign_id, impression_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Impressions; query analytics.impressions, which shows each exactly once';

-- One row a connected-TV impression, as first received.
-- The key holds no time finer than a day, so that concurrent retries of one record meet and the first stays. The
-- projection finds a record by its ID whatever its day: it is how a repeat after months is recognised.
-- cluster: shard by impression_id
CREATE TABLE IF NOT EXISTS adtrail.ctv_impressions (
  project_id UInt32 COMMENT 'Project that the record belongs to',
  bucket Date COMMENT 'UTC day on which the record was first received; partitions are months of it',
  campaign_id UInt32 COMMENT 'Campaign that the touch is for',
  impression_id UUID COMMENT 'ID of the CTV impression, a function of campaign and tid',
  impression_time DateTime64(3, 'UTC') COMMENT 'When the ad was shown',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the record first',
  partner_id UInt32 COMMENT 'Partner that reported the touch; 0 for none',
  app_id LowCardinality(String) COMMENT 'App that the touch named: Android package name or App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender' CODEC(ZSTD),
  s2 String COMMENT 'Passthrough value s2' CODEC(ZSTD),
  s3 String COMMENT 'Passthrough value s3' CODEC(ZSTD),
  s4 String COMMENT 'Passthrough value s4' CODEC(ZSTD),
  vt_lookback Nullable(UInt8) COMMENT 'View-through window in hours that the partner asked for; it can only shorten the window of the advertiser',
  ip String COMMENT 'Public IP address of the TV in canonical form; what installs are matched on' CODEC(ZSTD),
  ua String COMMENT 'User agent of the TV' CODEC(ZSTD),
  partner_campaign_id String COMMENT 'Campaign ID in the system of the partner' CODEC(ZSTD),
  adset_id String COMMENT 'Ad set ID in the system of the partner' CODEC(ZSTD),
  ad_id String COMMENT 'Ad ID in the system of the partner' CODEC(ZSTD),
  site_id String COMMENT 'Publisher, channel or app that showed the ad' CODEC(ZSTD),
  source_platform LowCardinality(String) COMMENT 'TV platform, for example tizen, webos, roku',
  device_category LowCardinality(String) COMMENT 'Kind of device, for example tv, set_top_box',
  tv_ifa String COMMENT 'Advertising ID of the TV; never used for matching' CODEC(ZSTD),
  ifa_type LowCardinality(String) COMMENT 'Type of tv_ifa, for example rida, tifa',
  datacenter_list LowCardinality(String) COMMENT 'Version of the list of data-centre networks that the address was checked against',
  version UInt64 COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the greater, so the first received, stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a later repeat of a record that an earlier bucket holds; FINAL drops it',
  INDEX impression_time_range impression_time TYPE minmax GRANULARITY 1,
  PROJECTION by_id (SELECT impression_id, bucket ORDER BY impression_id)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket)
ORDER BY (project_id, bucket, campaign_id, impression_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Connected-TV impressions; query analytics.ctv_impressions, which shows each exactly once';
