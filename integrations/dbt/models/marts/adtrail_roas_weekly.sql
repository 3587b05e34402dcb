-- One row per week (by its Monday) and campaign with any figure: everything by its own day. For 'organic', and without
-- spend, ratios are null. So many amounts are `unconverted`: they lack an exchange rate, and count as nothing.
WITH facts AS (
  SELECT toMonday(day) AS week, campaign_id, toDecimal256(1, 18) AS report_usd,
    tracked_clicks, 0 AS network_clicks, 0 AS impressions, 0 AS installs, 0 AS revenue_usd, 0 AS spend_usd,
    0 AS unconverted
  FROM {{ ref('stg_adtrail__clicks') }}
  UNION ALL
  SELECT toMonday(day), campaign_id, 1, 0, network_clicks, impressions, 0, 0, 0, 0
  FROM {{ ref('stg_adtrail__spend') }}
  UNION ALL
  SELECT toMonday(start_day), campaign_id, 1, 0, 0, 0, 1, 0, 0, 0
  FROM {{ ref('stg_adtrail__journeys') }}
  UNION ALL
  SELECT toMonday(day), campaign_id, report_usd, 0, 0, 0, 0, if(kind = 'revenue', usd, 0), if(kind = 'spend', usd, 0),
    NOT has_rate
  FROM {{ ref('stg_adtrail__money') }}
),
in_usd AS (
  SELECT
    week, campaign_id, report_usd, sum(tracked_clicks) AS tracked_clicks, sum(network_clicks) AS network_clicks,
    sum(impressions) AS impressions, sum(installs) AS installs, sum(revenue_usd) AS revenue_usd,
    sum(spend_usd) AS spend_usd, sum(unconverted) AS unconverted
  FROM facts
  GROUP BY week, campaign_id, report_usd
),
sums AS (
  SELECT
    week, campaign_id, sum(tracked_clicks) AS tracked_clicks, sum(network_clicks) AS network_clicks,
    sum(impressions) AS impressions, sum(installs) AS installs,
    CAST(sum(revenue_usd / report_usd), 'Decimal(76, 18)') AS revenue,
    CAST(sum(spend_usd / report_usd), 'Decimal(76, 18)') AS spend, sum(unconverted) AS unconverted
  FROM in_usd
  GROUP BY week, campaign_id
)
SELECT
  sums.week AS week,
  campaigns.campaign AS campaign,
  campaigns.campaign_name AS campaign_name,
  campaigns.network AS network,
  if(campaigns.has_own_clicks, sums.tracked_clicks, sums.network_clicks) AS clicks,
  sums.impressions AS impressions,
  sums.installs AS installs,
  round(sums.spend, {{ var('money_decimals') }}) AS spend,
  round(sums.revenue, {{ var('money_decimals') }}) AS revenue,
  if(sums.campaign_id = 0, NULL, round(sums.spend / nullIf(sums.installs, 0), {{ var('money_decimals') }})) AS cpi,
  if(sums.campaign_id = 0, NULL, round(sums.revenue / nullIf(sums.spend, 0), 2)) AS roas,
  sums.unconverted AS unconverted
FROM sums
INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON sums.campaign_id = campaigns.campaign_id
WHERE clicks != 0 OR impressions != 0 OR installs != 0 OR sums.spend != 0 OR sums.revenue != 0 OR unconverted != 0
