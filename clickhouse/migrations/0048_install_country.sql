-- Where an install is from stands on its decision, so that analytics.installs tells it without a look at the events.
-- It is that of the install event received first, as journeys have it.

-- cluster: shard by install_id
ALTER TABLE adtrail.install_queue
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip_hash;

-- cluster: on every node
ALTER TABLE adtrail.attribution_batches
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the install event received first, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip_hash;

-- Installs of an earlier version get theirs in the background (clickhouse/queries/install-countries.sql).
-- cluster: shard by install_id
ALTER TABLE adtrail.installs
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the install event received first, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip;

-- cluster: fed by each node
ALTER TABLE adtrail.install_queue_feed
  MODIFY QUERY SELECT
  project_id, install_id, event_key, event_id, time AS install_time, received_at, stored_at, app_id, platform, gaid,
  idfa, ip, ip_hash, country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted,
  version, is_deleted
FROM adtrail.app_events
WHERE type = 'install' AND stored_at > toDateTime64(0, 3, 'UTC');

-- With its query a view loses the comments of its columns.
-- cluster: fed by each node
ALTER TABLE adtrail.install_queue_feed
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN install_id 'Install [pseudonymous]',
  COMMENT COLUMN event_key 'Key of the event within its install [pseudonymous]',
  COMMENT COLUMN event_id 'ID of the install event [pseudonymous]',
  COMMENT COLUMN install_time 'When the app was installed [none]',
  COMMENT COLUMN received_at 'When the service received the install [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]',
  COMMENT COLUMN app_id 'App that was installed [none]',
  COMMENT COLUMN platform 'ANDROID or IOS [none]',
  COMMENT COLUMN gaid 'Google advertising ID of the device [personal]',
  COMMENT COLUMN idfa 'Apple advertising identifier of the device [personal]',
  COMMENT COLUMN ip 'Public IP address of the device; empty if there is none [personal]',
  COMMENT COLUMN ip_hash 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]',
  COMMENT COLUMN country 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]',
  COMMENT COLUMN ua 'User agent of the device [personal]',
  COMMENT COLUMN os 'Operating system that the user agent names; empty if it names none [none]',
  COMMENT COLUMN referrer_click_id 'Click that the install referrer names [pseudonymous]',
  COMMENT COLUMN referrer_click_time 'When the store was opened, by the install referrer [none]',
  COMMENT COLUMN install_begin_time 'When the download began, by the install referrer [none]',
  COMMENT COLUMN attribution
    'Attribution given with the install, as a JSON object; empty if none was given [personal]',
  COMMENT COLUMN trusted '1: sent with a server key; 0: with an app key, which is public [none]',
  COMMENT COLUMN version 'Of two rows of one event the one with the greater version counts [none]',
  COMMENT COLUMN is_deleted '1: the event is a repeat of one that another install holds [none]';
