-- One row per decided install, without reinstalls.
SELECT
  install_id,
  install_time,
  toDate(install_time, '{{ var('time_zone') }}') AS install_day,
  app_id,
  platform,
  country,
  rule,
  campaign_id,
  touch_type,
  touch_id,
  touch_time,
  touch_to_install_ms / 1000 AS seconds_from_touch,
  click_injection OR install_hijacking AS suspicious,
  candidates
FROM {{ source('adtrail', 'installs') }}
WHERE {{ in_project() }}
  AND NOT reinstall
