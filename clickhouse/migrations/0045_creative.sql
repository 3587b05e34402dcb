-- Which creative was shown.
-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  ADD COLUMN IF NOT EXISTS creative_id String COMMENT 'Creative in the system of the partner [none]' CODEC(ZSTD);
