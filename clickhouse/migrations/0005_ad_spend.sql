-- Facts: what advertisers spend.

-- One row per day and ad, keyword, ad set or campaign, whichever level the sender reports; a later row of the same
-- keys replaces the earlier one. Several levels of one day may stand side by side; the view counted_spend sums each
-- once.
-- cluster: shard by campaign_id
CREATE TABLE IF NOT EXISTS adtrail.ad_spend (
  project_id UInt32 COMMENT 'Project that the spend belongs to',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on',
  date Date COMMENT 'Day of the spend in the time zone of the project',
  ad_set_id String COMMENT 'Ad set; empty in the row of a whole campaign' CODEC(ZSTD),
  ad_id String COMMENT 'Ad; empty in rows of ad sets, keywords and campaigns' CODEC(ZSTD),
  keyword_id String COMMENT 'Keyword; empty in rows of other levels' CODEC(ZSTD),
  platform LowCardinality(String) COMMENT 'ANDROID or IOS; empty if the sender does not tell them apart',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner',
  account String COMMENT 'Account at the ad network, its external_customer_id; empty if none was given' CODEC(ZSTD),
  network_campaign_id String COMMENT 'ID of the campaign at the ad network; empty for spend with a partner' CODEC(ZSTD),
  campaign_name String COMMENT 'Name of the campaign at the ad network' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of the ad set' CODEC(ZSTD),
  ad_name String COMMENT 'Name of the ad' CODEC(ZSTD),
  keyword_name String COMMENT 'Text of the keyword' CODEC(ZSTD),
  impressions UInt64 COMMENT 'Impressions that the ad network counted',
  clicks UInt64 COMMENT 'Clicks that the ad network counted',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the row',
  version UInt64 COMMENT 'Grows with receipt: of two rows with one key the greater, so the last received, counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account)
COMMENT 'Ad spend; query analytics.ad_spend, which shows each row exactly once';
