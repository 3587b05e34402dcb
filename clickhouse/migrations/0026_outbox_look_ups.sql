-- Events to be told once more are found by when they were received, attempts by the partner.

-- cluster: shard by subject
ALTER TABLE adtrail.outbox_events
  ADD INDEX IF NOT EXISTS received_at_range received_at TYPE minmax GRANULARITY 16,
  ADD INDEX IF NOT EXISTS install_filter install_id TYPE bloom_filter GRANULARITY 16;

-- cluster: shard by postback_id
ALTER TABLE adtrail.postbacks ADD INDEX IF NOT EXISTS partner_set partner_id TYPE set(64) GRANULARITY 1;
