-- One row per week of installs (by its Monday), campaign and day after the install, 0 to 90: how many installs have had
-- that whole day, and how many of them did anything on it.
WITH cohorts AS (
  SELECT toMonday(start_day) AS cohort_week, campaign_id, age AS day_n, count() AS installs
  FROM {{ ref('stg_adtrail__journeys') }}
  ARRAY JOIN range(toUInt16(greatest(0, least(91, {{ today() }} - start_day)))) AS age
  GROUP BY cohort_week, campaign_id, day_n
),
activity AS (
  SELECT
    toMonday(start_day) AS cohort_week,
    campaign_id,
    toUInt16(seen_day - start_day) AS day_n,
    uniqExact(root_install) AS active_users
  FROM {{ ref('stg_adtrail__journeys') }}
  ARRAY JOIN seen_dates AS seen_day
  WHERE seen_day - start_day BETWEEN 0 AND 90
    AND seen_day < {{ today() }}
  GROUP BY cohort_week, campaign_id, day_n
)
SELECT
  cohorts.cohort_week AS cohort_week,
  campaigns.campaign AS campaign,
  campaigns.campaign_name AS campaign_name,
  cohorts.day_n AS day_n,
  cohorts.installs AS installs,
  activity.active_users AS active_users,
  round(toDecimal256(active_users, 18) * 100 / installs, 2) AS retention
FROM cohorts
INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON cohorts.campaign_id = campaigns.campaign_id
LEFT JOIN activity
  ON cohorts.cohort_week = activity.cohort_week
  AND cohorts.campaign_id = activity.campaign_id
  AND cohorts.day_n = activity.day_n
