-- Step grouped of app queries. One row per group with anything to count: the values of its dimensions as texts, their
-- names, and what was counted by any of the facts. Step: facts.
SELECT
  arrayMap(dimension -> multiIf(
    dimension = 'campaign', named.campaign.campaign,
    dimension = 'network', named.campaign.network,
    dimension = 'partner', named.campaign.partner,
    dimension = 'channel', named.campaign.channel,
    dimension = 'ad_set', named.campaign.ad_set,
    dimension = 'ad', named.campaign.ad,
    dimension = 'keyword', named.campaign.keyword,
    dimension = 'platform', named.campaign.platform,
    dimension = 'country', named.install.country,
    dimension = 'touch_type', named.install.touch_type,
    dimension = 'app', named.install.app,
    dimension = 'rule', named.install.rule,
    dimension = 'os_version', named.install.os_version,
    dimension = 'app_version', named.install.app_version,
    dimension = 'day', toString(named.time.day),
    dimension = 'week', toString(named.time.week),
    dimension = 'month', substring(toString(named.time.month), 1, 7),
    dimension = 'hour', concat(toString(named.time.day), ' ', leftPad(toString(named.time.hour), 2, '0')),
    dimension = 'install_day', toString(named.time.install_day),
    dimension = 'install_week', toString(named.time.install_week),
    dimension = 'install_month', substring(toString(named.time.install_month), 1, 7),
    toString(named.time.day_n)), {dimensions:Array(String)}) AS dimensions,
  arrayMap((dimension, value) -> multiIf(
    dimension = 'campaign', campaign_name,
    dimension = 'ad_set' AND ad_set_name != '', ad_set_name,
    dimension = 'ad' AND ad_name != '', ad_name,
    dimension = 'keyword' AND keyword_name != '', keyword_name,
    value), {dimensions:Array(String)}, dimensions) AS labels,
  parts, unconverted
FROM (
  SELECT
    CAST(key, 'Tuple(campaign Tuple(campaign String, network String, partner String, channel String, ad_set String,
      ad String, keyword String, platform String), install Tuple(country String, touch_type String, app String,
      rule String, os_version String, app_version String), time Tuple(day Date, week Date, month Date, hour UInt8,
      install_day Date, install_week Date, install_month Date, day_n UInt16))') AS named,
    any(facts.campaign_name) AS campaign_name, max(ad_set_named).2 AS ad_set_name, max(ad_named).2 AS ad_name,
    max(keyword_named).2 AS keyword_name, sumMap(counted) AS parts,
    groupUniqArrayArray(facts.unconverted) AS unconverted
  FROM facts
  GROUP BY key
)
