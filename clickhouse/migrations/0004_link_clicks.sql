-- Clicks on tracking links beside those that partners report, and when ClickHouse stored a record.

-- What only links carry shares one column: each stored column more would make every click of a partner dearer to store.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  COMMENT COLUMN click_id 'ID of the click: a function of campaign and tid, random for a link opened without tid',
  COMMENT COLUMN kind 'Where the click came from: s2s, link',
  ADD COLUMN IF NOT EXISTS parameters Map(String, String) COMMENT 'What a link was opened with, by name, without what was empty; the columns from ad_set_id on show it' CODEC(ZSTD),
  ADD COLUMN IF NOT EXISTS ad_set_id String ALIAS parameters['ad_set_id'] COMMENT 'Ad set that the link named; empty if there is none',
  ADD COLUMN IF NOT EXISTS ad_set_name String ALIAS parameters['ad_set_name'] COMMENT 'Name of the ad set; empty if there is none',
  ADD COLUMN IF NOT EXISTS ad_id String ALIAS parameters['ad_id'] COMMENT 'Ad that the link named; empty if there is none',
  ADD COLUMN IF NOT EXISTS ad_name String ALIAS parameters['ad_name'] COMMENT 'Name of the ad; empty if there is none',
  ADD COLUMN IF NOT EXISTS keyword_id String ALIAS parameters['keyword_id'] COMMENT 'Keyword that the link named; empty if there is none',
  ADD COLUMN IF NOT EXISTS keyword_name String ALIAS parameters['keyword_name'] COMMENT 'Text of the keyword; empty if there is none',
  ADD COLUMN IF NOT EXISTS utm_source String ALIAS parameters['utm_source'] COMMENT 'UTM source of the link; empty if there is none',
  ADD COLUMN IF NOT EXISTS utm_medium String ALIAS parameters['utm_medium'] COMMENT 'UTM medium of the link; empty if there is none',
  ADD COLUMN IF NOT EXISTS utm_campaign String ALIAS parameters['utm_campaign'] COMMENT 'UTM campaign of the link; empty if there is none',
  ADD COLUMN IF NOT EXISTS utm_id String ALIAS parameters['utm_id'] COMMENT 'UTM ID of the link; empty if there is none',
  ADD COLUMN IF NOT EXISTS utm_content String ALIAS parameters['utm_content'] COMMENT 'UTM content of the link; empty if there is none',
  ADD COLUMN IF NOT EXISTS utm_term String ALIAS parameters['utm_term'] COMMENT 'UTM term of the link; empty if there is none',
  ADD COLUMN IF NOT EXISTS gclid String ALIAS parameters['gclid'] COMMENT 'Google Ads click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS gbraid String ALIAS parameters['gbraid'] COMMENT 'Google Ads click ID for web-to-app journeys on iOS; empty if there is none',
  ADD COLUMN IF NOT EXISTS wbraid String ALIAS parameters['wbraid'] COMMENT 'Google Ads click ID for app-to-web journeys on iOS; empty if there is none',
  ADD COLUMN IF NOT EXISTS dclid String ALIAS parameters['dclid'] COMMENT 'Google Display & Video 360 click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS fbclid String ALIAS parameters['fbclid'] COMMENT 'Meta click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS ttclid String ALIAS parameters['ttclid'] COMMENT 'TikTok click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS msclkid String ALIAS parameters['msclkid'] COMMENT 'Microsoft Advertising click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS twclid String ALIAS parameters['twclid'] COMMENT 'X click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS li_fat_id String ALIAS parameters['li_fat_id'] COMMENT 'LinkedIn click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS sccid String ALIAS parameters['sccid'] COMMENT 'Snapchat click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS epik String ALIAS parameters['epik'] COMMENT 'Pinterest click ID; empty if there is none',
  ADD COLUMN IF NOT EXISTS rdt_cid String ALIAS parameters['rdt_cid'] COMMENT 'Reddit click ID; empty if there is none';

-- A derived table reads what was stored since it last looked; received_at would not do, since an insert takes a while.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks ADD COLUMN IF NOT EXISTS stored_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') COMMENT 'When ClickHouse stored the row';

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;

-- Rows stored before get the time of this change, in the background.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks MATERIALIZE COLUMN stored_at, MATERIALIZE INDEX stored_at_range;

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions ADD COLUMN IF NOT EXISTS stored_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') COMMENT 'When ClickHouse stored the row';

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;

-- Rows stored before get the time of this change, in the background.
-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions MATERIALIZE COLUMN stored_at, MATERIALIZE INDEX stored_at_range;

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions ADD COLUMN IF NOT EXISTS stored_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') COMMENT 'When ClickHouse stored the row';

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;

-- Rows stored before get the time of this change, in the background.
-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions MATERIALIZE COLUMN stored_at, MATERIALIZE INDEX stored_at_range;

CREATE OR REPLACE VIEW analytics.clicks (
  project_id UInt32 COMMENT 'Project that the record belongs to',
  bucket Date COMMENT 'UTC day on which the record was first received; partitions are months of it',
  campaign_id UInt32 COMMENT 'Campaign that the touch is for',
  campaign_display_id String COMMENT 'Display ID of the campaign, the c of its links',
  campaign_name String COMMENT 'Name of the campaign as it is now',
  click_id UUID COMMENT 'ID of the click: a function of campaign and tid, random for a link opened without tid',
  click_time DateTime64(3, 'UTC') COMMENT 'When the ad was clicked',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the record first',
  partner_id UInt32 COMMENT 'Partner that reported the touch; 0 for none',
  partner_name String COMMENT 'Name of the partner as it is now; empty for none',
  kind LowCardinality(String) COMMENT 'Where the click came from: s2s, link',
  app_id LowCardinality(String) COMMENT 'App that the touch named: Android package name or App Store ID with its id prefix; empty when it named a domain',
  d LowCardinality(String) COMMENT 'Tracking domain that the touch named; empty when it named an app',
  tid String COMMENT 'Unique ID of the touch in the system of its sender',
  s2 String COMMENT 'Passthrough value s2',
  s3 String COMMENT 'Passthrough value s3',
  s4 String COMMENT 'Passthrough value s4',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device',
  ip String COMMENT 'Public IP address of the device in canonical form; empty if there is none',
  ua String COMMENT 'User agent of the device',
  ad_set_id String COMMENT 'Ad set that the link named; empty if there is none',
  ad_set_name String COMMENT 'Name of the ad set; empty if there is none',
  ad_id String COMMENT 'Ad that the link named; empty if there is none',
  ad_name String COMMENT 'Name of the ad; empty if there is none',
  keyword_id String COMMENT 'Keyword that the link named; empty if there is none',
  keyword_name String COMMENT 'Text of the keyword; empty if there is none',
  utm_source String COMMENT 'UTM source of the link; empty if there is none',
  utm_medium String COMMENT 'UTM medium of the link; empty if there is none',
  utm_campaign String COMMENT 'UTM campaign of the link; empty if there is none',
  utm_id String COMMENT 'UTM ID of the link; empty if there is none',
  utm_content String COMMENT 'UTM content of the link; empty if there is none',
  utm_term String COMMENT 'UTM term of the link; empty if there is none',
  gclid String COMMENT 'Google Ads click ID; empty if there is none',
  gbraid String COMMENT 'Google Ads click ID for web-to-app journeys on iOS; empty if there is none',
  wbraid String COMMENT 'Google Ads click ID for app-to-web journeys on iOS; empty if there is none',
  dclid String COMMENT 'Google Display & Video 360 click ID; empty if there is none',
  fbclid String COMMENT 'Meta click ID; empty if there is none',
  ttclid String COMMENT 'TikTok click ID; empty if there is none',
  msclkid String COMMENT 'Microsoft Advertising click ID; empty if there is none',
  twclid String COMMENT 'X click ID; empty if there is none',
  li_fat_id String COMMENT 'LinkedIn click ID; empty if there is none',
  sccid String COMMENT 'Snapchat click ID; empty if there is none',
  epik String COMMENT 'Pinterest click ID; empty if there is none',
  rdt_cid String COMMENT 'Reddit click ID; empty if there is none'
)
AS SELECT
  touch.project_id AS project_id,
  touch.bucket AS bucket,
  touch.campaign_id AS campaign_id,
  campaign.display_id AS campaign_display_id,
  campaign.name AS campaign_name,
  touch.click_id AS click_id,
  touch.click_time AS click_time,
  touch.received_at AS received_at,
  touch.partner_id AS partner_id,
  campaign.partner_name AS partner_name,
  touch.kind AS kind,
  touch.app_id AS app_id,
  touch.d AS d,
  touch.tid AS tid,
  touch.s2 AS s2,
  touch.s3 AS s3,
  touch.s4 AS s4,
  touch.gaid AS gaid,
  touch.idfa AS idfa,
  touch.ip AS ip,
  touch.ua AS ua,
  touch.ad_set_id AS ad_set_id,
  touch.ad_set_name AS ad_set_name,
  touch.ad_id AS ad_id,
  touch.ad_name AS ad_name,
  touch.keyword_id AS keyword_id,
  touch.keyword_name AS keyword_name,
  touch.utm_source AS utm_source,
  touch.utm_medium AS utm_medium,
  touch.utm_campaign AS utm_campaign,
  touch.utm_id AS utm_id,
  touch.utm_content AS utm_content,
  touch.utm_term AS utm_term,
  touch.gclid AS gclid,
  touch.gbraid AS gbraid,
  touch.wbraid AS wbraid,
  touch.dclid AS dclid,
  touch.fbclid AS fbclid,
  touch.ttclid AS ttclid,
  touch.msclkid AS msclkid,
  touch.twclid AS twclid,
  touch.li_fat_id AS li_fat_id,
  touch.sccid AS sccid,
  touch.epik AS epik,
  touch.rdt_cid AS rdt_cid
FROM adtrail.clicks AS touch FINAL
LEFT ANY JOIN (SELECT campaign_id, display_id, name, partner_name FROM adtrail.campaigns FINAL) AS campaign ON touch.campaign_id = campaign.campaign_id
COMMENT 'Clicks: each exactly once, with the names of its campaign';
