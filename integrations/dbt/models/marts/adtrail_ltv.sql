-- One row per week of installs, campaign and day N of the variable ltv_days: the installs whose day N has ended, and
-- their revenue up to the end of that day.
WITH days AS (
  SELECT arrayJoin([{{ var('ltv_days') | join(', ') }}]) AS day_n
),
cohorts AS (
  SELECT toMonday(start_day) AS cohort_week, campaign_id, day_n, count() AS installs
  FROM {{ ref('stg_adtrail__journeys') }}
  CROSS JOIN days
  WHERE start_day < {{ today() }} - day_n
  GROUP BY cohort_week, campaign_id, day_n
),
in_usd AS (
  SELECT toMonday(start_day) AS cohort_week, campaign_id, day_n, report_usd, sum(usd) AS usd
  FROM {{ ref('stg_adtrail__money') }}
  CROSS JOIN days
  WHERE kind = 'revenue'
    AND start_day < {{ today() }} - day_n
    AND day <= start_day + day_n
  GROUP BY cohort_week, campaign_id, day_n, report_usd
),
earned AS (
  SELECT cohort_week, campaign_id, day_n, CAST(sum(usd / report_usd), 'Decimal(76, 18)') AS exact
  FROM in_usd
  GROUP BY cohort_week, campaign_id, day_n
)
SELECT
  cohorts.cohort_week AS cohort_week,
  campaigns.campaign AS campaign,
  campaigns.campaign_name AS campaign_name,
  cohorts.day_n AS day_n,
  cohorts.installs AS installs,
  round(earned.exact, {{ var('money_decimals') }}) AS revenue,
  round(earned.exact / cohorts.installs, {{ var('money_decimals') }}) AS ltv
FROM cohorts
INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON cohorts.campaign_id = campaigns.campaign_id
LEFT JOIN earned
  ON cohorts.cohort_week = earned.cohort_week
  AND cohorts.campaign_id = earned.campaign_id
  AND cohorts.day_n = earned.day_n
