-- Uploads of spend can be taken back: a row knows with which one its values came, and each upload what it replaced.

-- cluster: shard by campaign_id
ALTER TABLE adtrail.ad_spend
  ADD COLUMN IF NOT EXISTS upload_id UInt32
    COMMENT 'Upload that the values came with; 0 for those of other requests [none]',
  ADD COLUMN IF NOT EXISTS is_deleted UInt8
    COMMENT '1: there is no such row any more, since the upload that brought it was undone [none]';

-- One row per row of an upload, with what stood in its place before.
-- cluster: shard by campaign_id
CREATE TABLE IF NOT EXISTS adtrail.spend_replaced (
  project_id UInt32 COMMENT 'Project that the spend belongs to [none]',
  upload_id UInt32 COMMENT 'Upload that replaced it [none]',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on [none]',
  date Date COMMENT 'Day of the spend in the time zone of the project [none]',
  ad_set_id String COMMENT 'Ad set; empty in the row of a whole campaign [none]' CODEC(ZSTD),
  ad_id String COMMENT 'Ad; empty in rows of ad sets, keywords and campaigns [none]' CODEC(ZSTD),
  keyword_id String COMMENT 'Keyword; empty in rows of other levels [none]' CODEC(ZSTD),
  platform LowCardinality(String) COMMENT 'ANDROID or IOS; empty if the sender does not tell them apart [none]',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner [none]',
  account String COMMENT 'Account at the ad network; empty if none was given [none]' CODEC(ZSTD),
  existed UInt8 COMMENT '1: there was a row with these keys before; 0: there was none [none]',
  replaced_upload_id UInt32 COMMENT 'Upload that the row of before came with; 0 for another request [none]',
  network_campaign_id String COMMENT 'ID of the campaign at the ad network [none]' CODEC(ZSTD),
  campaign_name String COMMENT 'Name of the campaign at the ad network [none]' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of the ad set [none]' CODEC(ZSTD),
  ad_name String COMMENT 'Name of the ad [none]' CODEC(ZSTD),
  keyword_name String COMMENT 'Text of the keyword [none]' CODEC(ZSTD),
  impressions UInt64 COMMENT 'Impressions that the ad network counted [none]',
  clicks UInt64 COMMENT 'Clicks that the ad network counted [none]',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency [none]',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend [none]'
)
ENGINE = ReplacingMergeTree(existed)
ORDER BY (project_id, upload_id, campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account)
COMMENT 'What uploads of spend replaced, to be restored when they are undone';
