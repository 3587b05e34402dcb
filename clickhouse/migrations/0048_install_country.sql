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
