-- What a decision needs of an install event, written where the event is stored: installs are taken up without a look
-- at the other events.

-- One row per install event, in the order in which they were stored. Days go once their installs are decided.
-- cluster: shard by install_id
CREATE TABLE IF NOT EXISTS adtrail.install_queue (
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install [pseudonymous]',
  event_key UUID COMMENT 'Key of the event within its install [pseudonymous]',
  event_id String COMMENT 'ID of the install event [pseudonymous]',
  install_time DateTime64(3, 'UTC') COMMENT 'When the app was installed [none]',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the install [none]',
  stored_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When ClickHouse stored the row [none]',
  app_id LowCardinality(String) COMMENT 'App that was installed [none]',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS [none]',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device [personal]',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device [personal]',
  ip String COMMENT 'Public IP address of the device; empty if there is none [personal]',
  ip_hash String COMMENT 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]',
  ua String COMMENT 'User agent of the device [personal]',
  os LowCardinality(String) COMMENT 'Operating system that the user agent names; empty if it names none [none]',
  referrer_click_id Nullable(UUID) COMMENT 'Click that the install referrer names [pseudonymous]',
  referrer_click_time Nullable(DateTime64(3, 'UTC'))
    COMMENT 'When the store was opened, by the install referrer [none]',
  install_begin_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the download began, by the install referrer [none]',
  attribution String COMMENT 'Attribution given with the install, as a JSON object; empty if none was given [personal]',
  trusted UInt8 COMMENT '1: sent with a server key; 0: with an app key, which is public [none]',
  version UInt64 COMMENT 'Of two rows of one event the one with the greater version counts [none]',
  is_deleted UInt8 COMMENT '1: the event is a repeat of one that another install holds [none]'
)
ENGINE = MergeTree()
PARTITION BY toYYYYMMDD(stored_at)
ORDER BY (stored_at, install_id)
COMMENT 'Install events in the order of their arrival, for attribution; of no interest once they are decided';

-- What is stored at the beginning of 1970 is a copy under a random ID, of an install that is decided.
-- cluster: fed by each node
CREATE MATERIALIZED VIEW IF NOT EXISTS adtrail.install_queue_feed TO adtrail.install_queue (
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install [pseudonymous]',
  event_key UUID COMMENT 'Key of the event within its install [pseudonymous]',
  event_id String COMMENT 'ID of the install event [pseudonymous]',
  install_time DateTime64(3, 'UTC') COMMENT 'When the app was installed [none]',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the install [none]',
  stored_at DateTime64(3, 'UTC') COMMENT 'When ClickHouse stored the row [none]',
  app_id LowCardinality(String) COMMENT 'App that was installed [none]',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS [none]',
  gaid Nullable(UUID) COMMENT 'Google advertising ID of the device [personal]',
  idfa Nullable(UUID) COMMENT 'Apple advertising identifier of the device [personal]',
  ip String COMMENT 'Public IP address of the device; empty if there is none [personal]',
  ip_hash String COMMENT 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]',
  ua String COMMENT 'User agent of the device [personal]',
  os LowCardinality(String) COMMENT 'Operating system that the user agent names; empty if it names none [none]',
  referrer_click_id Nullable(UUID) COMMENT 'Click that the install referrer names [pseudonymous]',
  referrer_click_time Nullable(DateTime64(3, 'UTC'))
    COMMENT 'When the store was opened, by the install referrer [none]',
  install_begin_time Nullable(DateTime64(3, 'UTC')) COMMENT 'When the download began, by the install referrer [none]',
  attribution String COMMENT 'Attribution given with the install, as a JSON object; empty if none was given [personal]',
  trusted UInt8 COMMENT '1: sent with a server key; 0: with an app key, which is public [none]',
  version UInt64 COMMENT 'Of two rows of one event the one with the greater version counts [none]',
  is_deleted UInt8 COMMENT '1: the event is a repeat of one that another install holds [none]'
)
AS SELECT
  project_id, install_id, event_key, event_id, time AS install_time, received_at, stored_at, app_id, platform, gaid,
  idfa, ip, ip_hash, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version,
  is_deleted
FROM adtrail.app_events
WHERE type = 'install' AND stored_at > toDateTime64(0, 3, 'UTC')
COMMENT 'Puts install events into adtrail.install_queue as they are stored';
