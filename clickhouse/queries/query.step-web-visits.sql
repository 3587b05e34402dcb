-- Of step facts. One row per group: visits credited to touches in the range. Within one visitor arrayEnumerateUniq
-- marks the first event of each group, and of each session in a group, so that marks only have to be summed: exact, and
-- without a set of visitors. How long a session took and whether it has one event only is counted in each group that
-- any of it belongs to. What no metric asks for is not counted. Steps: hits,
-- touches. Function: hit_key_of.
SELECT
  (touches.touch_key, summed.hit_key) AS key, touches.campaign_name AS campaign_name,
  (toDateTime64(0, 3, 'UTC'), '') AS ad_set_named, (toDateTime64(0, 3, 'UTC'), '') AS ad_named,
  (toDateTime64(0, 3, 'UTC'), '') AS keyword_named,
  CAST(mapConcat(
    map(
      'visitors', toDecimal256(visitors, 18), 'sessions', toDecimal256(sessions, 18),
      'bounces', toDecimal256(bounced, 18),
      'seconds', divideDecimal(toDecimal256(milliseconds, 3), toDecimal256(1000, 0), 18),
      'page_views', toDecimal256(page_views, 18), 'signups', toDecimal256(signups, 18),
      'signup_visitors', toDecimal256(signup_visitors, 18), 'purchases', toDecimal256(purchases, 18),
      'revenue', toDecimal256(revenue, 18)
    ),
    mapFromArrays(arrayMap(event -> concat('event:', event), {events:Array(String)}),
      arrayMap(times -> toDecimal256(times, 18), event_times))
  ), 'Map(String, Decimal(76, 18))') AS counted,
  CAST([], 'Array(String)') AS unconverted
FROM (
  SELECT
    group, any(touch) AS touch,
    hit_key_of(any(page), any(referrer), any(landing_page), any(exit_page), any(country), any(device), any(browser),
      any(os), any(day), any(hour)) AS hit_key,
    if(has({parts:Array(String)}, 'visitors'), sum(first_of_group), 0) AS visitors,
    if(has({parts:Array(String)}, 'sessions'), sum(session_of_group), 0) AS sessions,
    if(has({parts:Array(String)}, 'bounces'), sum(bounce AND session_of_group), 0) AS bounced,
    if(has({parts:Array(String)}, 'seconds'), sumIf(session_length, session_of_group), 0) AS milliseconds,
    if(has({parts:Array(String)}, 'page_views'), countIf(kind = 1), 0) AS page_views,
    if(has({parts:Array(String)}, 'signups'), countIf(kind = 2), 0) AS signups,
    if(has({parts:Array(String)}, 'signup_visitors'), countIf(kind = 2 AND signup_of_group), 0) AS signup_visitors,
    if(has({parts:Array(String)}, 'purchases'), countIf(kind = 3), 0) AS purchases,
    if(has({parts:Array(String)}, 'revenue'), sum(one_revenue), 0) AS revenue,
    if(empty({events:Array(String)}), [],
      sumForEach(arrayMap(event -> toUInt64(name = event), {events:Array(String)}))) AS event_times
  FROM hits
  ARRAY JOIN
    groups AS group, credited_touches AS touch, pages AS page, referrers AS referrer, landing_pages AS landing_page,
    exit_pages AS exit_page, countries AS country, devices AS device, browsers AS browser, systems AS os, days AS day,
    hours AS hour, kinds AS kind, names AS name,
    revenues AS one_revenue, session_lengths AS session_length, bounces AS bounce,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(groups)) AS first_of_group,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(groups, hits.sessions)) AS session_of_group,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(groups, arrayMap(kind -> kind = 2, kinds))) AS signup_of_group
  WHERE group != 0
  GROUP BY group
) AS summed
INNER JOIN touches ON summed.touch = touches.touch
