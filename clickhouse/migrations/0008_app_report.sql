-- What advertisers spend and what money is worth: the rows of ad networks and partners, and exchange rates.

-- One row a day and an ad, keyword, ad set or campaign, whichever level the sender reports; a later row of the same keys
-- replaces the earlier one. Several levels of one day may be there side by side: adtrail.counted_spend sums each once.
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

-- What one unit of a currency is worth in US dollars from a day on, as PostgreSQL has it, kept here by the service.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.exchange_rates (
  currency LowCardinality(String) COMMENT 'ISO 4217 code',
  date Date COMMENT 'UTC day',
  usd Decimal(38, 18) COMMENT 'US dollars for one unit',
  revision UInt64 COMMENT 'Revision of the configuration that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (currency, date)
COMMENT 'Exchange rates, copied from PostgreSQL by the service';

-- One row a currency and day that has a rate, the US dollar itself included: the latest row up to a day holds for the day.
CREATE OR REPLACE VIEW adtrail.usd_rates (
  currency LowCardinality(String) COMMENT 'ISO 4217 code',
  date Date COMMENT 'UTC day from which the rate holds, until the next one',
  usd Decimal(38, 18) COMMENT 'US dollars for one unit'
)
AS SELECT currency, date, usd FROM adtrail.exchange_rates FINAL WHERE currency != 'USD'
UNION ALL SELECT toLowCardinality('USD'), toDate(0), toDecimal128(1, 18)
COMMENT 'Exchange rates to the US dollar, with the dollar itself';

-- One row a row of ad_spend that counts, so that no level is summed twice: a campaign's day is the sum of its ad sets' if
-- there are any, else its own row; an ad set's day likewise of its ads', else of its keywords', else its own row.
-- Filters on project, scope, campaign and date reach the table below.
CREATE OR REPLACE VIEW adtrail.counted_spend (
  project_id UInt32 COMMENT 'Project that the spend belongs to',
  scope LowCardinality(String) COMMENT 'Empty: levels as all rows together have them; ANDROID or IOS: as the rows of this platform alone have them',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on',
  date Date COMMENT 'Day of the spend in the time zone of the project',
  ad_set_id String COMMENT 'Ad set; empty in the row of a whole campaign',
  ad_id String COMMENT 'Ad; empty in rows of ad sets, keywords and campaigns',
  keyword_id String COMMENT 'Keyword; empty in rows of other levels',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner',
  ad_set_name String COMMENT 'Name of the ad set',
  ad_name String COMMENT 'Name of the ad',
  impressions UInt64 COMMENT 'Impressions that the ad network counted',
  clicks UInt64 COMMENT 'Clicks that the ad network counted',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend',
  version UInt64 COMMENT 'Grows with receipt'
)
AS SELECT project_id, scope, campaign_id, date, ad_set_id, ad_id, keyword_id, network, ad_set_name, ad_name, impressions, clicks, spend, currency, version
FROM (
  SELECT *,
    max(ad_set_id != '' OR ad_id != '' OR keyword_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date) AS campaign_has_parts,
    max(ad_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date, ad_set_id) AS ad_set_has_ads,
    max(keyword_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date, ad_set_id) AS ad_set_has_keywords,
    max(keyword_id != '') OVER (PARTITION BY project_id, scope, campaign_id, date, ad_set_id, ad_id) AS ad_has_keywords
  FROM (SELECT *, arrayJoin(arrayDistinct(['', platform])) AS scope FROM adtrail.ad_spend FINAL)
)
WHERE multiIf(
  ad_id != '' AND keyword_id != '', 1,
  ad_id != '', NOT ad_has_keywords,
  keyword_id != '', NOT ad_set_has_ads,
  ad_set_id != '', NOT ad_set_has_ads AND NOT ad_set_has_keywords,
  NOT campaign_has_parts)
COMMENT 'The rows of ad_spend that count: each amount of money exactly once';

-- One row a campaign, day, network and currency.
CREATE OR REPLACE VIEW adtrail.campaign_day_spend (
  project_id UInt32 COMMENT 'Project that the spend belongs to',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner',
  date Date COMMENT 'Day of the spend in the time zone of the project',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency',
  clicks UInt64 COMMENT 'Clicks that the ad network counted',
  impressions UInt64 COMMENT 'Impressions that the ad network counted'
)
AS SELECT counted.project_id AS project_id, counted.campaign_id AS campaign_id, counted.network AS network, counted.date AS date, counted.currency AS currency,
  sum(counted.spend) AS spend, sum(counted.clicks) AS clicks, sum(counted.impressions) AS impressions
FROM adtrail.counted_spend AS counted
WHERE counted.scope = ''
GROUP BY counted.project_id, counted.campaign_id, counted.network, counted.date, counted.currency
COMMENT 'Spend of campaigns by day, each level summed once';

CREATE OR REPLACE VIEW analytics.ad_spend (
  project_id UInt32 COMMENT 'Project that the spend belongs to',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on',
  campaign_display_id String COMMENT 'Display ID of the campaign, the c of its links',
  campaign_name String COMMENT 'Name of the campaign as it is now',
  date Date COMMENT 'Day of the spend in the time zone of the project',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner',
  account String COMMENT 'Account at the ad network, its external_customer_id; empty if none was given',
  network_campaign_id String COMMENT 'ID of the campaign at the ad network; empty for spend with a partner',
  ad_set_id String COMMENT 'Ad set; empty in the row of a whole campaign',
  ad_set_name String COMMENT 'Name of the ad set',
  ad_id String COMMENT 'Ad; empty in rows of ad sets, keywords and campaigns',
  ad_name String COMMENT 'Name of the ad',
  keyword_id String COMMENT 'Keyword; empty in rows of other levels',
  keyword_name String COMMENT 'Text of the keyword',
  platform LowCardinality(String) COMMENT 'ANDROID or IOS; empty if the sender does not tell them apart',
  impressions UInt64 COMMENT 'Impressions that the ad network counted',
  clicks UInt64 COMMENT 'Clicks that the ad network counted',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the row'
)
AS SELECT
  spent.project_id AS project_id,
  spent.campaign_id AS campaign_id,
  campaign.display_id AS campaign_display_id,
  campaign.name AS campaign_name,
  spent.date AS date,
  spent.network AS network,
  spent.account AS account,
  spent.network_campaign_id AS network_campaign_id,
  spent.ad_set_id AS ad_set_id,
  spent.ad_set_name AS ad_set_name,
  spent.ad_id AS ad_id,
  spent.ad_name AS ad_name,
  spent.keyword_id AS keyword_id,
  spent.keyword_name AS keyword_name,
  spent.platform AS platform,
  spent.impressions AS impressions,
  spent.clicks AS clicks,
  spent.spend AS spend,
  spent.currency AS currency,
  spent.received_at AS received_at
FROM adtrail.ad_spend AS spent FINAL
LEFT ANY JOIN (SELECT campaign_id, display_id, name FROM adtrail.campaigns FINAL) AS campaign ON spent.campaign_id = campaign.campaign_id
COMMENT 'Ad spend: each row as last received, with the names of its campaign; levels may overlap, adtrail.counted_spend has those that count';
