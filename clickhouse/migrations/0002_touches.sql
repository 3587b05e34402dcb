-- Facts: the clicks, impressions and connected-TV impressions that partners report, and the clicks on tracking links.

-- One row per click, as first received.
-- The key holds no time finer than a day, so that concurrent retries of one record meet and the first stays. The
-- projection finds a record by its ID whatever its day: it is how a repeat after months is recognised.
-- cluster: shard by click_id
CREATE TABLE IF NOT EXISTS adtrail.clicks (
  project_id UInt32 COMMENT 'Project that the record belongs to',
  bucket Date COMMENT 'UTC day on which the record was first received; partitions are months of it',
  campaign_id UInt32 COMMENT 'Campaign that the touch is for',
  click_id UUID COMMENT 'ID of the click: a function of campaign and tid, random for a link opened without tid',
  click_time DateTime64(3, 'UTC') COMMENT 'When the ad was clicked',
  received_at DateTime64(3, 'UTC')
    COMMENT 'When the service received the record first; of an imported click its own time',
  partner_id UInt32 COMMENT 'Partner that reported the touch; 0 for none',
  kind LowCardinality(String) COMMENT 'Where the click came from: s2s, link, import',
  app_id LowCardinality(String)
    COMMENT 'App that the touch named, an App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender' CODEC(ZSTD),
  s2 String COMMENT 'Passthrough value s2' CODEC(ZSTD),
  s3 String COMMENT 'Passthrough value s3' CODEC(ZSTD),
  s4 String COMMENT 'Passthrough value s4' CODEC(ZSTD),
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device in canonical form; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the device' CODEC(ZSTD),
  version UInt64
    COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a later repeat of a record that an earlier bucket holds; FINAL drops it',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') COMMENT 'When ClickHouse stored the row',
  parameters Map(String, String)
    COMMENT 'Parameters of a link, without empty ones; the columns from ad_set_id on show them' CODEC(ZSTD),
  ad_set_id String ALIAS parameters['ad_set_id'] COMMENT 'Ad set that the link named; empty if there is none',
  ad_set_name String ALIAS parameters['ad_set_name'] COMMENT 'Name of the ad set; empty if there is none',
  ad_id String ALIAS parameters['ad_id'] COMMENT 'Ad that the link named; empty if there is none',
  ad_name String ALIAS parameters['ad_name'] COMMENT 'Name of the ad; empty if there is none',
  keyword_id String ALIAS parameters['keyword_id'] COMMENT 'Keyword that the link named; empty if there is none',
  keyword_name String ALIAS parameters['keyword_name'] COMMENT 'Text of the keyword; empty if there is none',
  utm_source String ALIAS parameters['utm_source'] COMMENT 'UTM source of the link; empty if there is none',
  utm_medium String ALIAS parameters['utm_medium'] COMMENT 'UTM medium of the link; empty if there is none',
  utm_campaign String ALIAS parameters['utm_campaign'] COMMENT 'UTM campaign of the link; empty if there is none',
  utm_id String ALIAS parameters['utm_id'] COMMENT 'UTM ID of the link; empty if there is none',
  utm_content String ALIAS parameters['utm_content'] COMMENT 'UTM content of the link; empty if there is none',
  utm_term String ALIAS parameters['utm_term'] COMMENT 'UTM term of the link; empty if there is none',
  gclid String ALIAS parameters['gclid'] COMMENT 'Google Ads click ID; empty if there is none',
  gbraid String ALIAS parameters['gbraid']
    COMMENT 'Google Ads click ID for web-to-app journeys on iOS; empty if there is none',
  wbraid String ALIAS parameters['wbraid']
    COMMENT 'Google Ads click ID for app-to-web journeys on iOS; empty if there is none',
  dclid String ALIAS parameters['dclid'] COMMENT 'Google Display & Video 360 click ID; empty if there is none',
  fbclid String ALIAS parameters['fbclid'] COMMENT 'Meta click ID; empty if there is none',
  ttclid String ALIAS parameters['ttclid'] COMMENT 'TikTok click ID; empty if there is none',
  msclkid String ALIAS parameters['msclkid'] COMMENT 'Microsoft Advertising click ID; empty if there is none',
  twclid String ALIAS parameters['twclid'] COMMENT 'X click ID; empty if there is none',
  li_fat_id String ALIAS parameters['li_fat_id'] COMMENT 'LinkedIn click ID; empty if there is none',
  sccid String ALIAS parameters['sccid'] COMMENT 'Snapchat click ID; empty if there is none',
  epik String ALIAS parameters['epik'] COMMENT 'Pinterest click ID; empty if there is none',
  rdt_cid String ALIAS parameters['rdt_cid'] COMMENT 'Reddit click ID; empty if there is none',
  os LowCardinality(String) ALIAS multiIf(
    match(ua, '(?i)android'), 'android',
    match(ua, '(?i)iphone|ipad|ipod|macintosh.*(mobile/|crios|fxios|edgios)'), 'ios',
    match(ua, '(?i)windows'), 'windows',
    match(ua, '(?i)macintosh|mac os x'), 'macos',
    match(ua, '(?i)cros|linux|x11'), 'linux',
    ''
  ) COMMENT 'Operating system that the user agent names; empty if it names none',
  INDEX click_time_range click_time TYPE minmax GRANULARITY 1,
  INDEX stored_at_range stored_at TYPE minmax GRANULARITY 1,
  PROJECTION by_id (SELECT click_id, bucket ORDER BY click_id)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket)
ORDER BY (project_id, bucket, campaign_id, click_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Clicks; query analytics.clicks, which shows each exactly once';

-- One row per impression, as first received.
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
  app_id LowCardinality(String)
    COMMENT 'App that the touch named, an App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender' CODEC(ZSTD),
  s2 String COMMENT 'Passthrough value s2' CODEC(ZSTD),
  s3 String COMMENT 'Passthrough value s3' CODEC(ZSTD),
  s4 String COMMENT 'Passthrough value s4' CODEC(ZSTD),
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  vt_lookback Nullable(UInt8)
    COMMENT 'View-through window in hours that the partner asked for; it can only shorten the window of the advertiser',
  ip String
    COMMENT 'Public IP address of the device, never used for matching; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the device' CODEC(ZSTD),
  version UInt64
    COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a later repeat of a record that an earlier bucket holds; FINAL drops it',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') COMMENT 'When ClickHouse stored the row',
  INDEX impression_time_range impression_time TYPE minmax GRANULARITY 1,
  INDEX stored_at_range stored_at TYPE minmax GRANULARITY 1,
  PROJECTION by_id (SELECT impression_id, bucket ORDER BY impression_id)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket)
ORDER BY (project_id, bucket, campaign_id, impression_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Impressions; query analytics.impressions, which shows each exactly once';

-- One row per connected-TV impression, as first received.
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
  app_id LowCardinality(String)
    COMMENT 'App that the touch named, an App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender' CODEC(ZSTD),
  s2 String COMMENT 'Passthrough value s2' CODEC(ZSTD),
  s3 String COMMENT 'Passthrough value s3' CODEC(ZSTD),
  s4 String COMMENT 'Passthrough value s4' CODEC(ZSTD),
  vt_lookback Nullable(UInt8)
    COMMENT 'View-through window in hours that the partner asked for; it can only shorten the window of the advertiser',
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
  datacenter_list LowCardinality(String)
    COMMENT 'Version of the list of data-centre networks that the address was checked against',
  version UInt64
    COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a later repeat of a record that an earlier bucket holds; FINAL drops it',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') COMMENT 'When ClickHouse stored the row',
  INDEX impression_time_range impression_time TYPE minmax GRANULARITY 1,
  INDEX stored_at_range stored_at TYPE minmax GRANULARITY 1,
  PROJECTION by_id (SELECT impression_id, bucket ORDER BY impression_id)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket)
ORDER BY (project_id, bucket, campaign_id, impression_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Connected-TV impressions; query analytics.ctv_impressions, which shows each exactly once';
