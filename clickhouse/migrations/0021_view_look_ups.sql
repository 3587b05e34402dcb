-- What data engineers query, fast as the base tables. The views of analytics read with FINAL: what lies in one part
-- is read as it is, so a month that is over is merged to one part once nothing was written to it for a day.

-- One record by the touch's ID, with all its columns, or by the device; 0019_look_ups.sql has the other filters. A
-- statement for which a projection answers leaves by_touch_id aside (ignore_data_skipping_indices): ClickHouse would
-- otherwise take the filter instead.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  ADD INDEX IF NOT EXISTS by_touch_id click_id TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions
  ADD INDEX IF NOT EXISTS by_touch_id impression_id TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  ADD INDEX IF NOT EXISTS by_touch_id impression_id TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_tv_ifa tv_ifa TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by install_id
ALTER TABLE adtrail.installs
  ADD INDEX IF NOT EXISTS by_touch_id touch_id TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  ADD INDEX IF NOT EXISTS by_gaid gaid TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_idfa idfa TYPE bloom_filter(0.01) GRANULARITY 1;

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  MODIFY SETTING min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1;

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions
  MODIFY SETTING min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1;

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  MODIFY SETTING min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1;
