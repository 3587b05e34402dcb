-- One row per install: the campaigns of the touches that led to it, the earliest first, and which of them is credited.
SELECT
  install_id,
  any(install_day) AS install_day,
  any(install_time) AS install_time,
  any(touches) AS touches,
  arrayMap(one -> one.2, arraySort(groupArray((touch_number, campaigns.campaign)))) AS path,
  arrayMap(one -> one.2, arraySort(groupArray((touch_number, touch_type)))) AS touch_types,
  any(credited.campaign) AS credited_campaign
FROM {{ ref('stg_adtrail__touches') }} AS touches
INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS campaigns ON touches.campaign_id = campaigns.campaign_id
INNER JOIN {{ ref('stg_adtrail__campaigns') }} AS credited ON touches.credited_campaign_id = credited.campaign_id
GROUP BY install_id
