-- One row per install and touch that was eligible for it, in the order of time: the path to the install. An install
-- without one has a row of what it is credited to: campaign 0 where it is organic. Of an install's candidates the
-- service keeps the latest 100.
WITH paths AS (
  SELECT
    install_id,
    install_time,
    install_day,
    campaign_id AS credited_campaign_id,
    arraySort(arrayDistinct(arrayMap(
      one -> (one.touch_time, one.touch_id, one.campaign_id, one.touch_type),
      arrayFilter(one -> one.verdict IN ('credited', 'lower_rule', 'older_than_winner'), candidates)
    ))) AS eligible,
    if(
      empty(eligible),
      [(ifNull(touch_time, install_time), ifNull(touch_id, toUUID('00000000-0000-0000-0000-000000000000')), campaign_id,
        toString(touch_type))],
      eligible
    ) AS path
  FROM {{ ref('stg_adtrail__installs') }}
)
SELECT
  install_id,
  install_time,
  install_day,
  credited_campaign_id,
  touch_number,
  length(path) AS touches,
  touch.1 AS touch_time,
  touch.2 AS touch_id,
  touch.3 AS campaign_id,
  touch.4 AS touch_type
FROM paths
ARRAY JOIN
  path AS touch,
  arrayEnumerate(path) AS touch_number
