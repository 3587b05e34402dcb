-- One row per day of installs, model and campaign: the installs that the model credits to it. Each install is credited
-- once in each model. `decided` is what the service itself credits, and what every report counts.
WITH weights AS (
  SELECT
    install_day,
    install_id,
    campaign_id,
    touch_number,
    touches,
    exp2(-dateDiff('second', touch_time, install_time) / (86400 * {{ var('half_life_days') }})) AS recency
  FROM {{ ref('stg_adtrail__touches') }}
),
credits AS (
  SELECT install_day, 'decided' AS model, credited_campaign_id AS campaign_id, toFloat64(1) AS credit
  FROM {{ ref('stg_adtrail__touches') }}
  WHERE touch_number = 1
  UNION ALL
  SELECT install_day, 'first', campaign_id, toFloat64(touch_number = 1)
  FROM weights
  UNION ALL
  SELECT install_day, 'last', campaign_id, toFloat64(touch_number = touches)
  FROM weights
  UNION ALL
  SELECT install_day, 'linear', campaign_id, 1 / touches
  FROM weights
  UNION ALL
  -- 40 percent for the first, 40 for the last, the rest for those between; of two, half each.
  SELECT
    install_day, 'position', campaign_id,
    multiIf(touches = 1, 1.0, touches = 2, 0.5, touch_number = 1 OR touch_number = touches, 0.4, 0.2 / (touches - 2))
  FROM weights
  UNION ALL
  SELECT install_day, 'time_decay', campaign_id, recency / sum(recency) OVER (PARTITION BY install_id)
  FROM weights
)
SELECT
  credits.install_day AS install_day,
  credits.model AS model,
  campaigns.campaign AS campaign,
  campaigns.campaign_name AS campaign_name,
  round(sum(credits.credit), 6) AS installs
FROM credits
INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON credits.campaign_id = campaigns.campaign_id
GROUP BY install_day, model, campaign, campaign_name
HAVING installs != 0
