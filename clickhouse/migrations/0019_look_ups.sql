-- One record by what a data engineer has of it: the partner's ID, or the device. Keys of tables are for reports; these
-- filters tell of each granule whether it may have a value. Rows that are there already get theirs with the next merge.
-- IDs of touches have none: with it the projection by_id, by which repeats are recognised, would not be chosen.

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  ADD INDEX IF NOT EXISTS by_tid tid TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_gaid gaid TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_idfa idfa TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions
  ADD INDEX IF NOT EXISTS by_tid tid TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_gaid gaid TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_idfa idfa TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  ADD INDEX IF NOT EXISTS by_tid tid TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by install_id
ALTER TABLE adtrail.installs
  ADD INDEX IF NOT EXISTS by_gaid gaid TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_idfa idfa TYPE bloom_filter(0.01) GRANULARITY 1;
