-- One row per install with what followed it, that of its reinstalls included. Days are those of the project.
SELECT
  root_install,
  install_id,
  campaign_id,
  platform,
  country,
  touch_type,
  suspicious,
  start_time,
  start_day,
  seen_dates,
  signup_days,
  uninstall_days,
  money_days,
  money_utc_days,
  money_currencies,
  money_amounts
FROM {{ source('adtrail', 'journeys') }}
WHERE {{ in_project() }}
  AND report_view = 'user_acquisition'
