-- One row per level, what it groups by, and event name: how often it happened, and to how many users, by the day of the
-- event in the project's time zone. Step: journeys. Function: levels_of.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_part) AS ad_set,
  if(level = 'ad', ad_part, '') AS ad,
  if(level = 'keyword', keyword_part, '') AS keyword,
  event_name AS name,
  count() AS events,
  uniqExactIf(event_user, event_name IN {unique_names:Array(String)}) AS users
FROM (
  SELECT campaign_id, ad_set_part, ad_part, keyword_part, event_name, event_user
  FROM journeys
  ARRAY JOIN event_days AS event_day, event_names AS event_name, event_users AS event_user
  WHERE event_name IN {names:Array(String)} AND event_day BETWEEN {from:Date} AND {to:Date}
)
ARRAY JOIN levels_of(ad_set_part, ad_part, keyword_part) AS level
GROUP BY level, campaign_id, ad_set, ad, keyword, name
