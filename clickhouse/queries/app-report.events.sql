-- One row per campaign, ad set, ad or keyword and event name: how often it happened, and to how many users, by the day
-- of the event in the project's time zone. Step: journeys.
SELECT
  campaign_id, ad_set, ad, keyword,
  event_name AS name,
  count() AS events,
  uniqExactIf(event_user, event_name IN {unique_names:Array(String)}) AS users
FROM (
  SELECT campaign_id, ad_set, ad, keyword, event_name, event_user
  FROM journeys
  ARRAY JOIN event_days AS event_day, event_names AS event_name, event_users AS event_user
  WHERE event_name IN {names:Array(String)} AND event_day BETWEEN {from:Date} AND {to:Date}
)
GROUP BY campaign_id, ad_set, ad, keyword, name
