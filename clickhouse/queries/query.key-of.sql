-- Function key_of of the statements of an app query: what a row is grouped by. `day` is the day of what is counted,
-- `hour` its hour, `start_day` the day on which the journey began, `day_n` the days between both. Functions:
-- campaign_key_of, install_key_of, time_key_of.
(
  campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
  app_version, day, hour, start_day, day_n
) -> tuple(
  campaign_key_of(campaign, network, partner, channel, ad_set, ad, keyword, platform),
  install_key_of(country, touch_type, app, rule, os_version, app_version),
  time_key_of(day, hour, start_day, day_n)
)
