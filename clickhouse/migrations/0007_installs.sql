-- Attribution: what is decided of each install, and what deciding needs to find quickly.

-- The settings of projects as PostgreSQL has them, kept here by the service.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.projects (
  project_id UInt32 COMMENT 'Project',
  name String COMMENT 'Name as it is now',
  timezone LowCardinality(String) COMMENT 'Time zone of its days, a name of the IANA database',
  currency LowCardinality(String) COMMENT 'Currency of its reports',
  click_window_days Map(String, UInt32) COMMENT 'Click windows in days, by network; default for every other',
  ip_click_window_hours UInt32 COMMENT 'Window of clicks matched by IP address, in hours; 0 switches it off',
  view_window_hours UInt32 COMMENT 'Window of impressions, in hours',
  ctv_window_hours UInt32 COMMENT 'Window of connected-TV impressions, in hours',
  reinstall_window_days UInt32 COMMENT 'For so long after an event an install of the same device is a reinstall',
  inactivity_days UInt32 COMMENT 'Days without any event before an open by link is a re-engagement',
  revision UInt64 COMMENT 'Revision of the configuration that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY project_id
COMMENT 'Settings of projects, copied from PostgreSQL by the service';

-- What advertisers have turned on for partners, as PostgreSQL has it, kept here by the service.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.partner_switches (
  project_id UInt32 COMMENT 'Project',
  partner_id UInt32 COMMENT 'Partner',
  s2s_clicks UInt8 COMMENT '1 while clicks of the partner are on',
  s2s_traffic UInt8 COMMENT '1 while impressions of the partner are on',
  view_through UInt8 COMMENT '1 while view-through attribution is on',
  ctv_apps Array(String) COMMENT 'Apps on which connected-TV attribution is on',
  view_window_hours UInt32 COMMENT 'Window of impressions of the partner, in hours',
  revision UInt64 COMMENT 'Revision of the configuration that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (project_id, partner_id)
COMMENT 'Switches of partners, copied from PostgreSQL by the service';

-- One row a touch and a thing it can be matched by. Written by the attribution worker from the touches as first received;
-- of two rows of one touch the one first received stays, so that a retry never changes the time or the address of a touch.
-- cluster: shard by key
CREATE TABLE IF NOT EXISTS adtrail.touches (
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
SETTINGS index_granularity = 1024
COMMENT 'Touches by what they can be matched by; derived';

-- One row an install and an identifier that any of its events named.
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

-- Which operating system a user agent names: clicks and installs matched by IP address must agree on it.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks ADD COLUMN IF NOT EXISTS os LowCardinality(String) ALIAS multiIf(match(ua, '(?i)android'), 'android', match(ua, '(?i)iphone|ipad|ipod|macintosh.*(mobile/|crios|fxios|edgios)'), 'ios', match(ua, '(?i)windows'), 'windows', match(ua, '(?i)macintosh|mac os x'), 'macos', match(ua, '(?i)cros|linux|x11'), 'linux', '') COMMENT 'Operating system that the user agent names; empty if it names none';

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events ADD COLUMN IF NOT EXISTS os LowCardinality(String) ALIAS multiIf(match(ua, '(?i)android'), 'android', match(ua, '(?i)iphone|ipad|ipod|macintosh.*(mobile/|crios|fxios|edgios)'), 'ios', match(ua, '(?i)windows'), 'windows', match(ua, '(?i)macintosh|mac os x'), 'macos', match(ua, '(?i)cros|linux|x11'), 'linux', '') COMMENT 'Operating system that the user agent names; empty if it names none';

-- One row an install that the worker has taken up in a run_id, as first received: what the queries of that run_id are about.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.attribution_batches (
  run_id UInt64 COMMENT 'Turn of the attribution worker',
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

-- One row an install, decided for good: of two decisions the first stays.
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
  rule LowCardinality(String) COMMENT 'Rule that decided: attribution, referrer, device_click, ip_click, device_impression, ctv_impression or organic',
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
  candidates Array(Tuple(rule String, touch_type String, touch_id UUID, touch_time DateTime64(3, 'UTC'), received_at DateTime64(3, 'UTC'), campaign_id UInt32, window_seconds UInt32, verdict String)) COMMENT 'Touches that were considered, the latest 100, with the rule that each would match and what became of it, as decided' CODEC(ZSTD),
  version UInt64 COMMENT 'Decision in microseconds, counted down from 2^53 - 1: of two decisions the greater, so the first, stays',
  PROJECTION by_arrival (SELECT stored_at, project_id, install_id ORDER BY stored_at),
  PROJECTION by_touch (SELECT touch_id, project_id, rule, install_id, version ORDER BY touch_id)
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, install_id)
SETTINGS index_granularity = 1024, deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Installs and their attribution; query analytics.installs, which shows each exactly once';

-- What data engineers query.

CREATE OR REPLACE VIEW analytics.installs (
  project_id UInt32 COMMENT 'Project that the install belongs to',
  install_id String COMMENT 'Installation of the app, as its SDK names it',
  event_id String COMMENT 'ID of the install event',
  install_time DateTime64(3, 'UTC') COMMENT 'When the app was installed',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the install',
  decided_at DateTime64(3, 'UTC') COMMENT 'When the attribution was decided',
  stored_at DateTime64(3, 'UTC') COMMENT 'When ClickHouse stored the row',
  app_id LowCardinality(String) COMMENT 'App: Android package name or App Store ID with its id prefix',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS, as the app is',
  reinstall UInt8 COMMENT '1: the device had the app before, so this is a reinstall and not an install',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device; empty if there is none',
  ua String COMMENT 'User agent of the device',
  rule LowCardinality(String) COMMENT 'Rule that decided: attribution, referrer, device_click, ip_click, device_impression, ctv_impression or organic',
  campaign_id UInt32 COMMENT 'Campaign that the install is credited to; 0 for organic',
  campaign_display_id String COMMENT 'Display ID of the campaign, the c of its links; empty for organic',
  campaign_name String COMMENT 'Name of the campaign as it is now; empty for organic',
  partner_id UInt32 COMMENT 'Partner of the credited touch; 0 for none',
  partner_name String COMMENT 'Name of the partner as it is now; empty for none',
  touch_type LowCardinality(String) COMMENT 'What was credited: click, impression or ctv_impression; empty for organic',
  touch_id Nullable(UUID) COMMENT 'ID of the credited click or impression, where it is one of ours',
  touch_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the credited touch happened',
  window_seconds Nullable(UInt32) COMMENT 'Window that applied to the credited touch, in seconds',
  touch_to_install_ms Nullable(Int64) COMMENT 'Milliseconds from the credited touch to the install',
  ad_set_id String COMMENT 'Ad set of the credited touch',
  ad_set_name String COMMENT 'Name of that ad set',
  ad_id String COMMENT 'Ad of the credited touch',
  ad_name String COMMENT 'Name of that ad',
  ad_type LowCardinality(String) COMMENT 'Type of that ad',
  keyword_id String COMMENT 'Keyword of the credited touch',
  keyword_name String COMMENT 'Name of that keyword',
  publisher_platform LowCardinality(String) COMMENT 'Where the ad network showed the ad',
  platform_position LowCardinality(String) COMMENT 'Position at which it showed the ad',
  click_injection UInt8 COMMENT '1: suspicious, the click came too shortly before the install',
  install_hijacking UInt8 COMMENT '1: suspicious, the click came after the download had begun',
  candidates Array(Tuple(rule String, touch_type String, touch_id UUID, touch_time DateTime64(3, 'UTC'), received_at DateTime64(3, 'UTC'), campaign_id UInt32, window_seconds UInt32, verdict String)) COMMENT 'Touches that were considered, the latest 100, with the rule that each would match and what became of it, as decided'
)
AS SELECT
  install.project_id AS project_id,
  install.install_id AS install_id,
  install.event_id AS event_id,
  install.install_time AS install_time,
  install.received_at AS received_at,
  install.decided_at AS decided_at,
  install.stored_at AS stored_at,
  install.app_id AS app_id,
  install.platform AS platform,
  install.reinstall AS reinstall,
  install.gaid AS gaid,
  install.idfa AS idfa,
  install.ip AS ip,
  install.ua AS ua,
  install.rule AS rule,
  install.campaign_id AS campaign_id,
  campaign.display_id AS campaign_display_id,
  campaign.name AS campaign_name,
  install.partner_id AS partner_id,
  campaign.partner_name AS partner_name,
  install.touch_type AS touch_type,
  install.touch_id AS touch_id,
  install.touch_time AS touch_time,
  install.window_seconds AS window_seconds,
  install.touch_to_install_ms AS touch_to_install_ms,
  install.ad_set_id AS ad_set_id,
  install.ad_set_name AS ad_set_name,
  install.ad_id AS ad_id,
  install.ad_name AS ad_name,
  install.ad_type AS ad_type,
  install.keyword_id AS keyword_id,
  install.keyword_name AS keyword_name,
  install.publisher_platform AS publisher_platform,
  install.platform_position AS platform_position,
  install.click_injection AS click_injection,
  install.install_hijacking AS install_hijacking,
  install.candidates AS candidates
FROM adtrail.installs AS install FINAL
LEFT ANY JOIN (SELECT campaign_id, display_id, name, partner_name FROM adtrail.campaigns FINAL) AS campaign ON install.campaign_id = campaign.campaign_id
COMMENT 'Installs: each exactly once, with its attribution and how it was decided';

CREATE OR REPLACE VIEW analytics.app_events (
  project_id UInt32 COMMENT 'Project that the event belongs to',
  install_id String COMMENT 'Installation of the app, as its SDK names it',
  id UUID COMMENT 'ID of the record, a function of project and event_id',
  event_id String COMMENT 'Unique ID of the event in the system of its sender',
  type LowCardinality(String) COMMENT 'install, open, signup, event, payment, refund or uninstall',
  time DateTime64(3, 'UTC') COMMENT 'When it happened',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the event first',
  stored_at DateTime64(3, 'UTC') COMMENT 'When ClickHouse stored the row',
  app_id LowCardinality(String) COMMENT 'App: Android package name or App Store ID with its id prefix',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS, as the app is',
  name LowCardinality(String) COMMENT 'Name of an event of type event; empty for the other types',
  payment_type LowCardinality(String) COMMENT 'Revenue type of a payment or refund; empty for the other types',
  amount Nullable(Decimal(38, 9)) COMMENT 'Amount of money in currency',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of amount; empty where there is none',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device in canonical form; empty if there is none',
  ua String COMMENT 'User agent of the device',
  user_id String COMMENT 'Identifier of the user in the system of the advertiser; empty if there is none',
  user String COMMENT 'What is known of the user, as a JSON object; empty if nothing was sent',
  device String COMMENT 'What is known of the device, as a JSON object; empty if nothing was sent',
  link String COMMENT 'Link that opened the app, of type open',
  link_campaign_id UInt32 COMMENT 'Campaign that the link names; 0 for none',
  referrer String COMMENT 'Install referrer of the Play Store, of type install',
  referrer_click_id Nullable(UUID) COMMENT 'Click that the install referrer names as svc_ia_id',
  referrer_click_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the store was opened, by the install referrer',
  install_begin_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the download began, by the install referrer',
  attribution String COMMENT 'Attribution given with an install, as a JSON object; empty if none was given',
  reinstall UInt8 COMMENT '1: the install of the event is a reinstall',
  rule String COMMENT 'Rule that decided the attribution of the install; empty while it is undecided, or where the install never arrived',
  campaign_id UInt32 COMMENT 'Campaign that the install is credited to; 0 for none',
  campaign_display_id String COMMENT 'Display ID of that campaign; empty for none',
  campaign_name String COMMENT 'Name of that campaign as it is now; empty for none',
  ad_set_id String COMMENT 'Ad set that the install is credited to',
  ad_id String COMMENT 'Ad that the install is credited to',
  keyword_id String COMMENT 'Keyword that the install is credited to'
)
AS SELECT
  event.project_id AS project_id,
  event.install_id AS install_id,
  event.id AS id,
  event.event_id AS event_id,
  event.type AS type,
  event.time AS time,
  event.received_at AS received_at,
  event.stored_at AS stored_at,
  event.app_id AS app_id,
  event.platform AS platform,
  event.name AS name,
  event.payment_type AS payment_type,
  event.amount AS amount,
  event.currency AS currency,
  event.gaid AS gaid,
  event.idfa AS idfa,
  event.ip AS ip,
  event.ua AS ua,
  event.user_id AS user_id,
  event.user AS user,
  event.device AS device,
  event.link AS link,
  event.link_campaign_id AS link_campaign_id,
  event.referrer AS referrer,
  event.referrer_click_id AS referrer_click_id,
  event.referrer_click_time AS referrer_click_time,
  event.install_begin_time AS install_begin_time,
  event.attribution AS attribution,
  install.reinstall AS reinstall,
  install.rule AS rule,
  install.campaign_id AS campaign_id,
  campaign.display_id AS campaign_display_id,
  campaign.name AS campaign_name,
  install.ad_set_id AS ad_set_id,
  install.ad_id AS ad_id,
  install.keyword_id AS keyword_id
FROM adtrail.app_events AS event FINAL
LEFT ANY JOIN (SELECT project_id, install_id, reinstall, rule, campaign_id, ad_set_id, ad_id, keyword_id FROM adtrail.installs FINAL) AS install ON event.project_id = install.project_id AND event.install_id = install.install_id
LEFT ANY JOIN (SELECT campaign_id, display_id, name FROM adtrail.campaigns FINAL) AS campaign ON install.campaign_id = campaign.campaign_id
COMMENT 'App events: each exactly once, with the attribution of its install';
