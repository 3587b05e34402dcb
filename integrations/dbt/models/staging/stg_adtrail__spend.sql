-- One row per day and ad, ad set or campaign that money was spent on: each amount once, whatever levels were reported.
SELECT
  campaign_id,
  date AS day,
  spent.currency AS currency,
  spent.spend AS spend,
  spent.clicks AS network_clicks,
  spent.impressions AS impressions
FROM {{ source('adtrail', 'counted_spend') }} AS spent
WHERE {{ in_project() }}
  AND spent.scope = ''
