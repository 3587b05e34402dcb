-- Step grouped of web queries. One row per group with anything to count: the values of its dimensions as texts, their
-- names, and what was counted by any of the facts. Step: facts.
SELECT
  arrayMap(dimension -> multiIf(
    dimension = 'campaign', named.touch.campaign,
    dimension = 'channel', named.touch.channel,
    dimension = 'source', named.touch.source,
    dimension = 'medium', named.touch.medium,
    dimension = 'network_campaign', named.touch.network_campaign,
    dimension = 'ad_set', named.touch.ad_set,
    dimension = 'ad', named.touch.ad,
    dimension = 'page', named.hit.page,
    dimension = 'referrer', named.hit.referrer,
    dimension = 'landing_page', named.hit.landing_page,
    dimension = 'exit_page', named.hit.exit_page,
    dimension = 'country', named.hit.country,
    dimension = 'device', named.hit.device,
    dimension = 'browser', named.hit.browser,
    dimension = 'os', named.hit.os,
    dimension = 'day', toString(named.hit.day),
    dimension = 'week', toString(named.hit.week),
    dimension = 'month', substring(toString(named.hit.month), 1, 7),
    concat(toString(named.hit.day), ' ', leftPad(toString(named.hit.hour), 2, '0'))),
    {dimensions:Array(String)}) AS dimensions,
  arrayMap((dimension, value) -> multiIf(
    dimension = 'campaign', campaign_name,
    dimension = 'ad_set' AND ad_set_name != '', ad_set_name,
    dimension = 'ad' AND ad_name != '', ad_name,
    value), {dimensions:Array(String)}, dimensions) AS labels,
  parts, unconverted
FROM (
  SELECT
    CAST(key, 'Tuple(touch Tuple(campaign String, channel String, source String, medium String,
      network_campaign String, ad_set String, ad String), hit Tuple(page String, referrer String, landing_page String,
      exit_page String, country String, device String, browser String, os String, day Date, week Date, month Date,
      hour UInt8))') AS named,
    any(facts.campaign_name) AS campaign_name, max(ad_set_named).2 AS ad_set_name, max(ad_named).2 AS ad_name,
    sumMap(counted) AS parts, groupUniqArrayArray(facts.unconverted) AS unconverted
  FROM facts
  GROUP BY key
)
