-- Facts: what apps report.

-- The key holds no time, so that repeats of an event meet at any age. An install counts once whatever its event IDs,
-- because its event_key is always the same. An event ID used again on another install is found by the projection by_id.
-- The projection by_arrival finds what is new for the derived tables.
-- cluster: shard by install_id
CREATE TABLE IF NOT EXISTS adtrail.app_events (
  project_id UInt32 COMMENT 'Project that the event belongs to',
  install_id String COMMENT 'Installation of the app, as its SDK names it' CODEC(ZSTD),
  event_key UUID
    COMMENT 'Key of the event within its install: its id, or zero for the install event, which is unique',
  id UUID COMMENT 'ID of the record, a function of project and event_id',
  event_id String COMMENT 'Unique ID of the event in the system of its sender' CODEC(ZSTD),
  type LowCardinality(String) COMMENT 'install, open, signup, event, payment, refund or uninstall',
  time DateTime64(3, 'UTC') COMMENT 'When it happened',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the event first',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When ClickHouse stored the row',
  app_id LowCardinality(String) COMMENT 'App: Android package name or App Store ID with its id prefix',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS, as the app is',
  name LowCardinality(String) COMMENT 'Name of an event of type event; empty for the other types',
  payment_type LowCardinality(String) COMMENT 'Revenue type of a payment or refund; empty for the other types',
  amount Nullable(Decimal(38, 9)) COMMENT 'Amount of money in currency',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of amount; empty where there is none',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device in canonical form; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the device' CODEC(ZSTD),
  user_id String COMMENT 'Identifier of the user in the system of the advertiser; empty if there is none' CODEC(ZSTD),
  user String COMMENT 'What is known of the user, as a JSON object; empty if nothing was sent' CODEC(ZSTD),
  device String COMMENT 'What is known of the device, as a JSON object; empty if nothing was sent' CODEC(ZSTD),
  link String COMMENT 'Link that opened the app, of type open' CODEC(ZSTD),
  link_campaign_id UInt32 COMMENT 'Campaign that the link names; 0 for none',
  referrer String COMMENT 'Install referrer of the Play Store, of type install' CODEC(ZSTD),
  referrer_click_id Nullable(UUID) COMMENT 'Click that the install referrer names as svc_ia_id',
  referrer_click_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the store was opened, by the install referrer',
  install_begin_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the download began, by the install referrer',
  attribution String COMMENT 'Attribution given with an install, as a JSON object; empty if none was given' CODEC(ZSTD),
  os LowCardinality(String) ALIAS multiIf(
    match(ua, '(?i)android'), 'android',
    match(ua, '(?i)iphone|ipad|ipod|macintosh.*(mobile/|crios|fxios|edgios)'), 'ios',
    match(ua, '(?i)windows'), 'windows',
    match(ua, '(?i)macintosh|mac os x'), 'macos',
    match(ua, '(?i)cros|linux|x11'), 'linux',
    ''
  ) COMMENT 'Operating system that the user agent names; empty if it names none',
  version UInt64
    COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a repeat of an event that another install holds; FINAL drops it',
  PROJECTION by_id (SELECT id, project_id, install_id, event_key, version ORDER BY id),
  PROJECTION by_arrival (SELECT stored_at, id, project_id, install_id, type, gaid, idfa, user_id ORDER BY stored_at)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, install_id, event_key)
SETTINGS index_granularity = 1024, deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'App events; query analytics.app_events, which shows each exactly once';
