-- What app reports read: derived from clicks, installs and app events, each row replaced as a whole.

-- One row per journey: an install with everything that followed (report_view user_acquisition, events of its reinstalls
-- included), or a reinstall or re-engagement with what followed until the next one (report_view retargeting). Derived
-- anew from the facts whenever one of them arrives, so that neither repeats nor the order of arrival matter.
-- cluster: shard by root_install
CREATE TABLE IF NOT EXISTS adtrail.journeys (
  project_id UInt32 COMMENT 'Project',
  report_view Enum8('user_acquisition' = 1, 'retargeting' = 2) COMMENT 'View of the report that the journey belongs to',
  campaign_id UInt32 COMMENT 'Campaign that the journey is credited to; 0 for none',
  root_install UUID COMMENT 'Hash of install_id',
  conversion_id UUID
    COMMENT 'Zero for an install, hash of install_id for a reinstall, event ID for a re-engagement',
  kind Enum8('install' = 1, 'reinstall' = 2, 'reengagement' = 3) COMMENT 'What began the journey',
  install_id String COMMENT 'The first install of the app on the device, as far as it is known' CODEC(ZSTD),
  platform LowCardinality(String) COMMENT 'ANDROID or IOS',
  ad_set_id String COMMENT 'Ad set of the credited touch' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of that ad set' CODEC(ZSTD),
  ad_id String COMMENT 'Ad of the credited touch' CODEC(ZSTD),
  ad_name String COMMENT 'Name of that ad' CODEC(ZSTD),
  ad_type LowCardinality(String) COMMENT 'Type of that ad',
  keyword_id String COMMENT 'Keyword of the credited touch' CODEC(ZSTD),
  keyword_name String COMMENT 'Name of that keyword' CODEC(ZSTD),
  touch_type LowCardinality(String) COMMENT 'What was credited: click, impression or ctv_impression; empty for none',
  suspicious UInt8 COMMENT '1: click injection or install hijacking is suspected',
  start_time DateTime64(3, 'UTC') COMMENT 'When the journey began',
  start_day Date COMMENT 'Day on which it began in the time zone of the project',
  active_days UInt32 COMMENT 'Bit N, from 1 to 30: active on the Nth day after start_day',
  last_active_day UInt16 COMMENT 'Last day with activity, counted from start_day; 0 for none after it',
  last_event_time DateTime64(3, 'UTC') COMMENT 'Time of the last event of any type',
  signup_days Array(Date) COMMENT 'Days of the sign-ups',
  uninstall_days Array(Date) COMMENT 'Days of the uninstalls',
  money_days Array(Date) COMMENT 'Days of payments and refunds',
  money_utc_days Array(Date) COMMENT 'Their UTC days, whose exchange rates apply',
  money_refunds Array(UInt8) COMMENT '1 for a refund, 0 for a payment',
  money_types Array(LowCardinality(String)) COMMENT 'Their revenue types',
  money_currencies Array(LowCardinality(String)) COMMENT 'Their currencies',
  money_amounts Array(Decimal(38, 9)) COMMENT 'Their amounts, those of refunds below zero',
  event_days Array(Date) COMMENT 'Days of the events of type event',
  event_names Array(LowCardinality(String)) COMMENT 'Their names',
  event_users Array(UInt64) COMMENT 'Hashes of their users',
  priced_days Array(Date) COMMENT 'Days of the events of type event that carry an amount',
  priced_utc_days Array(Date) COMMENT 'Their UTC days',
  priced_names Array(LowCardinality(String)) COMMENT 'Their names',
  priced_currencies Array(LowCardinality(String)) COMMENT 'Their currencies',
  priced_amounts Array(Decimal(38, 9)) COMMENT 'Their amounts',
  version UInt64 COMMENT 'Run that wrote the row; the greatest counts',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: no journey any more; FINAL drops it',
  PROJECTION by_root_install (
    SELECT root_install, project_id, report_view, campaign_id, conversion_id, version, is_deleted ORDER BY root_install
  )
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (project_id, report_view, campaign_id, root_install, conversion_id)
SETTINGS deduplicate_merge_projection_mode = 'rebuild'
COMMENT 'Installs, reinstalls and re-engagements with what followed; derived';

-- One row per campaign and UTC day of receipt: its clicks by their own day and what they named.
-- cluster: shard by campaign_id
CREATE TABLE IF NOT EXISTS adtrail.daily_clicks (
  project_id UInt32 COMMENT 'Project',
  campaign_id UInt32 COMMENT 'Campaign of the clicks',
  bucket Date COMMENT 'UTC day on which the clicks were received',
  days Array(Date) COMMENT 'Days of the clicks in the time zone of the project',
  platforms Array(LowCardinality(String)) COMMENT 'ANDROID or IOS; empty if it is unknown',
  ad_set_ids Array(LowCardinality(String)) COMMENT 'Ad sets that the clicks named',
  ad_ids Array(LowCardinality(String)) COMMENT 'Ads that the clicks named',
  keyword_ids Array(LowCardinality(String)) COMMENT 'Keywords that the clicks named',
  clicks Array(UInt64) COMMENT 'How many clicks',
  version UInt64 COMMENT 'Run that wrote the row; the greatest counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, campaign_id, bucket)
COMMENT 'Clicks by campaign and day; derived';

-- One row per name that any event of a project ever had, and a revenue type that any payment had.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.event_names (
  project_id UInt32 COMMENT 'Project',
  kind Enum8('event' = 1, 'payment' = 2) COMMENT 'What name is: name of an event, or revenue type',
  name String COMMENT 'Name of the event'
)
ENGINE = ReplacingMergeTree()
ORDER BY (project_id, kind, name)
COMMENT 'Names of events and revenue types; derived';

-- One row per install whose journeys a run derives anew.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.journey_batches (
  run_id UInt64 COMMENT 'Run that derives journeys',
  chunk UInt16 COMMENT 'Part of the run_id',
  round UInt8 COMMENT '0: something of the install is new; n: it shares a device with an install of round n - 1',
  project_id UInt32 COMMENT 'Project',
  install_id String COMMENT 'Install',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run_id began'
)
ENGINE = MergeTree()
ORDER BY (run_id, chunk, round, project_id, install_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Installs that a run_id takes up; of no interest afterwards';

-- One row per install of a run that is decided, with the install whose journeys it is part of.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.journey_members (
  run_id UInt64 COMMENT 'Run that derives journeys',
  chunk UInt16 COMMENT 'Part of the run_id',
  project_id UInt32 COMMENT 'Project',
  install_id String COMMENT 'Install',
  root_install String COMMENT 'Itself, or the install that it repeats',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run_id began'
)
ENGINE = MergeTree()
ORDER BY (run_id, chunk, project_id, install_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Installs that a run_id takes up, by the install that they repeat; of no interest afterwards';
