-- One row per week (by its Monday) and partner with any click, install or sign-up: what its clicks lead to, and what
-- looks suspicious.
WITH facts AS (
  SELECT toMonday(day) AS week, campaign_id, tracked_clicks, 0 AS network_clicks, 0 AS installs,
    0 AS click_through, 0 AS view_through, 0 AS suspicious, 0 AS signups
  FROM {{ ref('stg_adtrail__clicks') }}
  UNION ALL
  SELECT toMonday(day), campaign_id, 0, network_clicks, 0, 0, 0, 0, 0
  FROM {{ ref('stg_adtrail__spend') }}
  UNION ALL
  SELECT toMonday(start_day), campaign_id, 0, 0, 1, touch_type = 'click',
    touch_type IN ('impression', 'ctv_impression'), suspicious, 0
  FROM {{ ref('stg_adtrail__journeys') }}
  UNION ALL
  SELECT toMonday(signup_day), campaign_id, 0, 0, 0, 0, 0, 0, 1
  FROM {{ ref('stg_adtrail__journeys') }}
  ARRAY JOIN signup_days AS signup_day
),
counted AS (
  SELECT
    facts.week AS week, campaigns.partner AS partner,
    sum(if(campaigns.has_own_clicks, tracked_clicks, network_clicks)) AS clicks, sum(facts.installs) AS installs,
    sum(facts.click_through) AS click_through, sum(facts.view_through) AS view_through,
    sum(facts.suspicious) AS suspicious, sum(facts.signups) AS signups
  FROM facts
  INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON facts.campaign_id = campaigns.campaign_id
  WHERE campaigns.partner != ''
  GROUP BY week, partner
),
times AS (
  SELECT
    toMonday(install_day) AS week, campaigns.partner AS partner,
    quantileExactLow(0.5)(assumeNotNull(seconds_from_touch)) AS median_seconds
  FROM {{ ref('stg_adtrail__installs') }} AS installs
  INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON installs.campaign_id = campaigns.campaign_id
  WHERE touch_type = 'click' AND seconds_from_touch IS NOT NULL
  GROUP BY week, partner
)
SELECT
  counted.week AS week,
  counted.partner AS partner,
  counted.clicks AS clicks,
  counted.installs AS installs,
  counted.click_through AS click_through,
  counted.view_through AS view_through,
  counted.suspicious AS suspicious,
  counted.signups AS signups,
  round(toDecimal256(counted.suspicious, 18) * 100 / nullIf(counted.installs, 0), 2) AS suspicious_percent,
  round(toDecimal256(counted.installs, 18) * 100 / nullIf(counted.clicks, 0), 2) AS installs_per_100_clicks,
  if(times.partner = '', NULL, times.median_seconds) AS median_seconds_from_click
FROM counted
LEFT JOIN times ON counted.week = times.week AND counted.partner = times.partner
WHERE clicks != 0 OR installs != 0 OR signups != 0
