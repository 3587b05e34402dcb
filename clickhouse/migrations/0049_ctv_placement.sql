-- Where in the programme of a TV an advertisement was shown, as the partner names it.

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  ADD COLUMN IF NOT EXISTS placement_id String COMMENT 'Placement, as the partner names it [none]' CODEC(ZSTD);
