-- Step grouped of app queries. One row per group with anything to count: the values of its dimensions as texts, their
-- names, and what was counted by any of the facts. Step: facts.
SELECT
  arrayMap(dimension -> multiIf(
    dimension = 'campaign', named.campaign,
    dimension = 'network', named.network,
    dimension = 'partner', named.partner,
    dimension = 'channel', named.channel,
    dimension = 'ad_set', named.ad_set,
    dimension = 'ad', named.ad,
    dimension = 'keyword', named.keyword,
    dimension = 'platform', named.platform,
    dimension = 'country', named.country,
    dimension = 'touch_type', named.touch_type,
    dimension = 'app', named.app,
    dimension = 'rule', named.rule,
    dimension = 'os_version', named.os_version,
    dimension = 'app_version', named.app_version,
    dimension = 'day', toString(named.day),
    dimension = 'week', toString(named.week),
    dimension = 'month', substring(toString(named.month), 1, 7),
    dimension = 'hour', concat(toString(named.day), ' ', leftPad(toString(named.hour), 2, '0')),
    dimension = 'install_day', toString(named.install_day),
    dimension = 'install_week', toString(named.install_week),
    dimension = 'install_month', substring(toString(named.install_month), 1, 7),
    toString(named.day_n)), {dimensions:Array(String)}) AS dimensions,
  arrayMap((dimension, value) -> multiIf(
    dimension = 'campaign', campaign_name,
    dimension = 'ad_set' AND ad_set_name != '', ad_set_name,
    dimension = 'ad' AND ad_name != '', ad_name,
    dimension = 'keyword' AND keyword_name != '', keyword_name,
    value), {dimensions:Array(String)}, dimensions) AS labels,
  parts, unconverted
FROM (
  SELECT
    CAST(key, 'Tuple(campaign String, network String, partner String, channel String, ad_set String, ad String,
      keyword String, platform String, country String, touch_type String, app String, rule String, os_version String,
      app_version String, day Date, week Date, month Date, hour UInt8, install_day Date, install_week Date,
      install_month Date, day_n UInt16)') AS named,
    any(facts.campaign_name) AS campaign_name, max(ad_set_named).2 AS ad_set_name, max(ad_named).2 AS ad_name,
    max(keyword_named).2 AS keyword_name, sumMap(counted) AS parts,
    groupUniqArrayArray(facts.unconverted) AS unconverted
  FROM facts
  GROUP BY key
)
