-- One row per campaign, day, network and currency.
CREATE OR REPLACE VIEW adtrail.spend_by_campaign_day (
  project_id UInt32 COMMENT 'Project that the spend belongs to',
  campaign_id UInt32 COMMENT 'Campaign that the money was spent on',
  network LowCardinality(String) COMMENT 'Code of the ad network; empty for spend with a partner',
  date Date COMMENT 'Day of the spend in the time zone of the project',
  currency LowCardinality(String) COMMENT 'ISO 4217 code of the currency of spend',
  spend Decimal(38, 9) COMMENT 'Money spent, in currency',
  clicks UInt64 COMMENT 'Clicks that the ad network counted',
  impressions UInt64 COMMENT 'Impressions that the ad network counted'
)
AS SELECT
  counted.project_id AS project_id, counted.campaign_id AS campaign_id, counted.network AS network,
  counted.date AS date, counted.currency AS currency,
  sum(counted.spend) AS spend, sum(counted.clicks) AS clicks, sum(counted.impressions) AS impressions
FROM adtrail.counted_spend AS counted
WHERE counted.scope = ''
GROUP BY counted.project_id, counted.campaign_id, counted.network, counted.date, counted.currency
COMMENT 'Spend of campaigns by day, each level summed once';
