-- Writes one row per journey of a part of a run, for the projects of one time zone. Days are those of the projects, by
-- the time of the event.
INSERT INTO adtrail.journeys (
  project_id, report_view, campaign_id, root_install, conversion_id, kind, install_id, platform, app_id,
  ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name, touch_type, rule, suspicious,
  country, os_version, app_version,
  start_time, start_day, active_days, last_active_day, active_dates, seen_dates, last_event_time,
  signup_days, uninstall_days,
  money_days, money_utc_days, money_refunds, money_types, money_currencies, money_amounts,
  event_days, event_names, event_users,
  priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts, layout, version
)
SELECT
  project_id, if(journey.kind = 'install', 'user_acquisition', 'retargeting'), journey.campaign_id,
  reinterpretAsUUID(sipHash128(root_install)), journey.conversion_id, journey.kind, root_install,
  platform, journey.app_id,
  journey.ad_set_id, journey.ad_set_name, journey.ad_id, journey.ad_name, journey.ad_type,
  journey.keyword_id, journey.keyword_name, journey.touch_type, journey.rule, journey.suspicious,
  journey.country, journey.os_version, journey.app_version,
  journey.start_time, start_day,
  -- Bit N for day N.
  arrayReduce('groupBitOr',
    arrayMap(day -> toUInt32(bitShiftLeft(toUInt64(1), day)), arrayFilter(day -> day <= 30, active))),
  toUInt16(least(arrayMax(arrayPushBack(active, 0)), 65535)),
  arraySort(arrayDistinct(arrayMap(e -> e.day, arrayFilter(e -> e.is_activity AND e.day >= start_day, own_events)))),
  arraySort(arrayDistinct(own_events.day)),
  arrayMax(arrayPushBack(own_events.time, toDateTime64(0, 3, 'UTC'))),
  own_signups.day, own_uninstalls.day,
  own_money.day, own_money.utc_day, own_money.is_refund, own_money.payment_type, own_money.currency,
  own_money.signed_amount,
  own_named.day, own_named.name,
  arrayMap(user -> multiIf(
    user != 0, user,
    known_user != 0, known_user,
    sipHash64(('install', root_install))
  ), own_named.user),
  own_priced.day, own_priced.utc_day, own_priced.name, own_priced.currency, own_priced.signed_amount,
  1, {run_id:UInt64}
FROM journeys
SETTINGS enable_named_columns_in_function_tuple = 1
