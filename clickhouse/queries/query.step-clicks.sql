-- Of step facts. One row per group: tracked clicks of the campaigns whose clicks no ad network counts, by the day of
-- the click in the project's time zone. Table: adtrail.daily_clicks. Step: campaigns. Functions: passes, key_of.
SELECT
  key_of(
    campaigns.campaign, campaigns.network, campaigns.partner, campaigns.channel, CAST(tracked.ad_set_id, 'String'),
    CAST(tracked.ad_id, 'String'), CAST(tracked.keyword_id, 'String'), CAST(tracked.platform, 'String'),
    '', '', '', '', '', '', tracked.day, toUInt8(0), toDate(0), 0
  ) AS key,
  any(campaigns.campaign_name) AS campaign_name, (toDateTime64(0, 3, 'UTC'), '') AS ad_set_named,
  (toDateTime64(0, 3, 'UTC'), '') AS ad_named, (toDateTime64(0, 3, 'UTC'), '') AS keyword_named,
  CAST(map('clicks', sum(tracked.clicks)), 'Map(String, Decimal(76, 18))') AS counted,
  CAST([], 'Array(String)') AS unconverted
FROM (
  SELECT campaign_id, ad_set_id, ad_id, keyword_id, platform, day, one AS clicks
  FROM adtrail.daily_clicks FINAL
  ARRAY JOIN
    days AS day,
    platforms AS platform,
    ad_set_ids AS ad_set_id,
    ad_ids AS ad_id,
    keyword_ids AS keyword_id,
    clicks AS one
  WHERE project_id = {project_id:UInt32} AND day BETWEEN {from:Date} AND {to:Date}
) AS tracked
INNER JOIN campaigns ON tracked.campaign_id = campaigns.campaign_id
WHERE has_own_clicks
  AND passes('ad_set', CAST(tracked.ad_set_id, 'String')) AND passes('ad', CAST(tracked.ad_id, 'String'))
  AND passes('keyword', CAST(tracked.keyword_id, 'String')) AND passes('platform', CAST(tracked.platform, 'String'))
GROUP BY key
