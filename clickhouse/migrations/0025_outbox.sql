-- What leaves the service: what is told of installs and events, and each attempt to tell it.

-- One row per event that a run settles, with the decision about its install.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.outbox_batches (
  run_id UInt64 COMMENT 'Run that settles what is told [none]',
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install [pseudonymous]',
  id UUID COMMENT 'ID of the event [pseudonymous]',
  event_id String COMMENT 'ID of the event in the system of its sender [pseudonymous]',
  type LowCardinality(String) COMMENT 'Type of the event [none]',
  name LowCardinality(String) COMMENT 'Name of an event of type event [none]',
  time DateTime64(3, 'UTC') COMMENT 'When it happened [none]',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received it [none]',
  app_id LowCardinality(String) COMMENT 'App [none]',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS [none]',
  ip String COMMENT 'Address of the device [personal]',
  ua String COMMENT 'User agent of the device [personal]',
  country LowCardinality(String) COMMENT 'Country of the address [none]',
  user_id String COMMENT 'Identifier of the user in the system of the advertiser [personal]',
  amount Nullable(Decimal(38, 9)) COMMENT 'Amount of money in currency [none]',
  currency LowCardinality(String) COMMENT 'Currency of amount [none]',
  gaid Nullable(UUID) COMMENT 'Google advertising ID, of the event or else of the install [personal]',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier, likewise [personal]',
  link_campaign_id UInt32 COMMENT 'Campaign of the link that opened the app; 0 for none [none]',
  install_time DateTime64(3, 'UTC') COMMENT 'When the app was installed [none]',
  reinstall UInt8 COMMENT '1: the install is a reinstall [none]',
  click_injection UInt8 COMMENT '1: click injection is suspected [none]',
  install_hijacking UInt8 COMMENT '1: install hijacking is suspected [none]',
  rule LowCardinality(String) COMMENT 'Rule that decided [none]',
  campaign_id UInt32 COMMENT 'Campaign that the install is credited to; 0 for organic [none]',
  touch_partner_id UInt32 COMMENT 'Partner of the credited touch; 0 for none [none]',
  touch_type LowCardinality(String) COMMENT 'What was credited; empty for organic [none]',
  touch_id Nullable(UUID) COMMENT 'ID of the credited touch, where it is one of ours [pseudonymous]',
  touch_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the credited touch happened [none]',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run_id began [none]'
)
ENGINE = MergeTree()
ORDER BY (run_id, project_id, install_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Events that a run_id of the outbox settles; of no interest afterwards';

-- One row per event that somebody is to be told of, and per run that found it: what a message about it may say. It is
-- here and not in PostgreSQL, so that a person who is forgotten leaves it with everything else. Messages are read by
-- the run that settled them, so that those of one time lie together.
-- cluster: shard by subject
CREATE TABLE IF NOT EXISTS adtrail.outbox_events (
  run_id UInt64 COMMENT 'Run that settled what is told of the event [none]' CODEC(T64),
  subject UUID COMMENT 'What it is about: hash of the install, or ID of the event [pseudonymous]' CODEC(NONE),
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install [pseudonymous]' CODEC(ZSTD),
  partner_id UInt32 COMMENT 'Partner that the event is credited to; 0 for none [none]',
  type LowCardinality(String) COMMENT 'Type of the event [none]',
  event LowCardinality(String)
    COMMENT 'What it is told as, for example install, reinstall, payment, event:<name> [none]',
  suspicious UInt8 COMMENT '1: click injection or install hijacking is suspected [none]',
  event_time DateTime64(3, 'UTC') COMMENT 'When it happened [none]',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received it [none]',
  macros Map(LowCardinality(String), String) COMMENT 'Value of each macro; none is empty [personal]' CODEC(ZSTD),
  noted_at DateTime('UTC') DEFAULT now() COMMENT 'When the row was written [none]'
)
ENGINE = MergeTree()
PARTITION BY toDate(noted_at)
ORDER BY (run_id, subject)
TTL toDateTime(noted_at) + toIntervalDay(90)
SETTINGS index_granularity = 256, ttl_only_drop_parts = 1
COMMENT 'What postbacks and webhooks may say of an event';

-- One row per attempt to deliver a postback or webhook.
-- cluster: shard by postback_id
CREATE TABLE IF NOT EXISTS adtrail.postbacks (
  project_id UInt32 COMMENT 'Project of the event [none]',
  attempted_at DateTime64(3, 'UTC') COMMENT 'When the attempt began [none]',
  postback_id UUID COMMENT 'ID of the message, the same at every attempt [pseudonymous]',
  attempt UInt16 COMMENT 'Number of the attempt, from 1 [none]',
  kind LowCardinality(String) COMMENT 'postback, to a partner, or webhook, to the advertiser [none]',
  destination_id UInt32 COMMENT 'Template of the postback, or the webhook [none]',
  partner_id UInt32 COMMENT 'Partner that was told; 0 for a webhook [none]',
  event LowCardinality(String) COMMENT 'What was told, for example install or event:<name> [none]',
  install_id String COMMENT 'Install that it is about [pseudonymous]' CODEC(ZSTD),
  event_id String COMMENT 'ID of the event in the system of its sender [pseudonymous]' CODEC(ZSTD),
  tid String COMMENT 'Unique ID of the credited touch in the system of its sender [pseudonymous]' CODEC(ZSTD),
  host LowCardinality(String) COMMENT 'Host and port that it was sent to [none]',
  method LowCardinality(String) COMMENT 'GET or POST [none]',
  url String COMMENT 'Address that it was sent to; values that look secret are blanked [personal]' CODEC(ZSTD),
  body String COMMENT 'Body that was sent, its first 4,096 characters; likewise [personal]' CODEC(ZSTD),
  outcome LowCardinality(String)
    COMMENT 'sent, retry: tried again later, dead: given up, dropped: not to be sent any more, or test [none]',
  status UInt16 COMMENT 'HTTP status of the answer; 0 for none [none]',
  latency_ms UInt32 COMMENT 'Milliseconds until the answer or the failure [none]',
  error String COMMENT 'Why it was not delivered; empty if it was [none]',
  next_attempt_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it is tried again; NULL if it is not [none]',
  is_replay UInt8 COMMENT '1: somebody asked for it to be sent once more [none]',
  run_id UInt64 COMMENT 'Run that settled what is told, as in adtrail.outbox_events [none]',
  subject UUID COMMENT 'What it is about, as in adtrail.outbox_events [pseudonymous]',
  INDEX install_filter install_id TYPE bloom_filter GRANULARITY 4,
  INDEX tid_filter tid TYPE bloom_filter GRANULARITY 4,
  INDEX postback_filter postback_id TYPE bloom_filter GRANULARITY 4
)
ENGINE = MergeTree()
PARTITION BY toYYYYMM(attempted_at)
ORDER BY (project_id, attempted_at, postback_id)
TTL toDateTime(attempted_at) + toIntervalDay(90)
COMMENT 'Attempts to deliver postbacks and webhooks; query analytics.postbacks';
