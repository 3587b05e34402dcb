-- Facts: what websites report.

-- The key holds no time, so that repeats of an event meet at any age. An event ID used again on another visitor is
-- found by the projection by_id. The projection by_arrival finds what is new for the derived tables. Channel and
-- source are decided once, when the event arrives; which touch it is credited to depends on the visitor's other
-- events.
-- cluster: shard by visitor_id
CREATE TABLE IF NOT EXISTS adtrail.web_events (
  project_id UInt32 COMMENT 'Project that the event belongs to',
  visitor_id String COMMENT 'Visitor: a browser, as the script on the website names it' CODEC(ZSTD),
  id UUID COMMENT 'ID of the record, a function of project and event_id',
  event_id String COMMENT 'Unique ID of the event in the system of its sender' CODEC(ZSTD),
  type LowCardinality(String) COMMENT 'page_view or event',
  name LowCardinality(String) COMMENT 'Name of an event of type event; empty for page views',
  time DateTime64(3, 'UTC') COMMENT 'When it happened',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the event first',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When ClickHouse stored the row',
  session_id String COMMENT 'Session of the visitor' CODEC(ZSTD),
  user_id String COMMENT 'Identifier of the user in the system of the advertiser; empty if there is none' CODEC(ZSTD),
  url String COMMENT 'Address of the page' CODEC(ZSTD),
  referrer String COMMENT 'Where the browser came from; empty if it did not say' CODEC(ZSTD),
  revenue Nullable(Decimal(38, 9)) COMMENT 'Revenue sent with the event, in whatever currency the website uses',
  properties String COMMENT 'What else was sent with the event, as a JSON object; empty if nothing was' CODEC(ZSTD),
  channel LowCardinality(String)
    COMMENT 'Channel that page and referrer speak of, for example organic_search; direct for none',
  source LowCardinality(String) COMMENT 'Source that page and referrer speak of, for example google; empty for none',
  utm_source String COMMENT 'utm_source of the page' CODEC(ZSTD),
  utm_medium String COMMENT 'utm_medium of the page' CODEC(ZSTD),
  utm_campaign String COMMENT 'utm_campaign of the page' CODEC(ZSTD),
  utm_id String COMMENT 'utm_id of the page' CODEC(ZSTD),
  utm_content String COMMENT 'utm_content of the page' CODEC(ZSTD),
  utm_term String COMMENT 'utm_term of the page' CODEC(ZSTD),
  click_id_type LowCardinality(String)
    COMMENT 'Parameter of the ad click ID of the page, for example gclid; empty for none',
  click_id String COMMENT 'Ad click ID of the page; empty for none' CODEC(ZSTD),
  network_campaign_id String
    COMMENT 'Campaign at the ad network: gad_campaignid, campaign_id or utm_id of the page' CODEC(ZSTD),
  ad_set_id String
    COMMENT 'Ad set at the ad network: ad_set_id, adset_id, adgroup_id, or a utm_term of digits' CODEC(ZSTD),
  ad_id String COMMENT 'Ad at the ad network: ad_id, or a utm_content of digits' CODEC(ZSTD),
  is_signup UInt8 COMMENT '1: its name counts as a sign-up',
  is_purchase UInt8 COMMENT '1: its name counts as a purchase',
  is_bot UInt8 COMMENT '1: the user agent is that of a bot; no report counts it',
  ip String COMMENT 'Public IP address of the browser in canonical form; empty if there is none' CODEC(ZSTD),
  ua String COMMENT 'User agent of the browser' CODEC(ZSTD),
  touch UInt64 DEFAULT if(channel = 'direct', 0, sipHash64(
    channel, source, utm_source, utm_medium, utm_campaign, utm_id, utm_content, utm_term,
    network_campaign_id, ad_set_id, ad_id
  ))
    COMMENT 'Number of what page and referrer speak of, the same for the same values; 0 for direct',
  version UInt64
    COMMENT 'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: a repeat of an event that another visitor holds; FINAL drops it',
  PROJECTION by_id (SELECT id, project_id, visitor_id, version ORDER BY id),
  PROJECTION by_arrival (SELECT stored_at, id, project_id, visitor_id ORDER BY stored_at)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, visitor_id, id)
SETTINGS index_granularity = 1024, deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Web events; query analytics.web_events, which shows each exactly once';
