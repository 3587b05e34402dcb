-- One row per row of ad_spend that counts, so that no level is summed twice: a campaign's day is the sum of its ad
-- sets' if there are any, else its own row; an ad set's day likewise of its ads', else of its keywords', else its own
-- row. Filters on project, scope, campaign and date reach the table below.
CREATE OR REPLACE VIEW adtrail.counted_spend (
  project_id UInt32 COMMENT 'Project that the spend belongs to [none]',
  scope LowCardinality(String)
    COMMENT 'Empty: levels of all rows together; ANDROID or IOS: levels of the rows of this platform [none]',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on [none]',
  date Date COMMENT 'Day of the spend in the time zone of the project [none]',
  ad_set_id String COMMENT 'Ad set; empty in the row of a whole campaign [none]',
  ad_id String COMMENT 'Ad; empty in rows of ad sets, keywords and campaigns [none]',
  keyword_id String COMMENT 'Keyword; empty in rows of other levels [none]',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS; empty if the sender does not tell them apart [none]',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner [none]',
  ad_set_name String COMMENT 'Name of the ad set [none]',
  ad_name String COMMENT 'Name of the ad [none]',
  impressions UInt64 COMMENT 'Impressions that the ad network counted [none]',
  clicks UInt64 COMMENT 'Clicks that the ad network counted [none]',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency [none]',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend [none]',
  version UInt64 COMMENT 'Grows with receipt [none]'
)
AS SELECT
  project_id, scope, campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, ad_set_name,
  ad_name, impressions, clicks, spend, currency, version
FROM (
  SELECT *,
    max(ad_set_id != '' OR ad_id != '' OR keyword_id != '')
      OVER (PARTITION BY project_id, scope, campaign_id, date) AS campaign_has_parts,
    max(ad_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date, ad_set_id) AS ad_set_has_ads,
    max(keyword_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date, ad_set_id) AS ad_set_has_keywords,
    max(keyword_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date, ad_set_id, ad_id) AS ad_has_keywords
  FROM (
    SELECT *, arrayJoin(arrayDistinct(['', platform])) AS scope
    FROM adtrail.ad_spend FINAL
    WHERE is_deleted = 0
  )
)
WHERE multiIf(
  ad_id != '' AND keyword_id != '', 1,
  ad_id != '', NOT ad_has_keywords,
  keyword_id != '', NOT ad_set_has_ads,
  ad_set_id != '', NOT ad_set_has_ads AND NOT ad_set_has_keywords,
  NOT campaign_has_parts)
COMMENT 'The rows of ad_spend that count: each amount of money exactly once';
