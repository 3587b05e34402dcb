-- One row per campaign and day: its tracked clicks.
SELECT
  campaign_id,
  click_day AS day,
  sum(click_count) AS tracked_clicks
FROM {{ source('adtrail', 'daily_clicks') }}
ARRAY JOIN
  days AS click_day,
  clicks AS click_count
WHERE {{ in_project() }}
GROUP BY campaign_id, day
