-- Of step facts, of queries by hour or country, of which adtrail.daily_clicks knows nothing. One row per group, as
-- query.step-clicks.sql has it. Table: adtrail.clicks. Step: campaigns. Functions: passes, key_of.
SELECT
  key_of(
    campaigns.campaign, campaigns.network, campaigns.partner, campaigns.channel, tracked.ad_set_id, tracked.ad_id,
    tracked.keyword_id, tracked.platform, tracked.country, '', '', '', '', '', tracked.day, tracked.hour, toDate(0), 0
  ) AS key,
  any(campaigns.campaign_name) AS campaign_name, (toDateTime64(0, 3, 'UTC'), '') AS ad_set_named,
  (toDateTime64(0, 3, 'UTC'), '') AS ad_named, (toDateTime64(0, 3, 'UTC'), '') AS keyword_named,
  CAST(map('clicks', count()), 'Map(String, Decimal(76, 18))') AS counted,
  CAST([], 'Array(String)') AS unconverted
FROM (
  SELECT
    campaign_id, ad_set_id, ad_id, keyword_id, CAST(platform, 'String') AS platform,
    CAST(country, 'String') AS country,
    toDate(click_time, {timezone:String}) AS day, toHour(click_time, {timezone:String}) AS hour
  FROM adtrail.clicks FINAL
  WHERE project_id = {project_id:UInt32} AND day BETWEEN {from:Date} AND {to:Date}
) AS tracked
INNER JOIN campaigns ON tracked.campaign_id = campaigns.campaign_id
WHERE has_own_clicks
  AND passes('ad_set', tracked.ad_set_id) AND passes('ad', tracked.ad_id) AND passes('keyword', tracked.keyword_id)
  AND passes('platform', tracked.platform) AND passes('country', tracked.country)
GROUP BY key
