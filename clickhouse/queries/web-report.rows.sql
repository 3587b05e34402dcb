-- One row a row of the web report on one page, in order, and before them one with the totals over all rows. Days are
-- those of Asia/Kolkata, from {from} to {to}; a visitor's elements come credited from adtrail.web_visitors. What stands
-- in double braces is chosen from closed lists: {{model}}_touch is the attribution, {{id}} what a row is. An empty id is the
-- bucket of what has no key.
--
-- A touch becomes the number of its row; 0 is no row. Within one visitor arrayEnumerateUniq then marks the first element
-- of each row and of each session in a row, so that marks only have to be summed: exact, and without a set of visitors.
WITH
  campaign_keys AS (
    SELECT
      key,
      argMin(campaign.campaign_id, (priority, campaign.campaign_id)) AS campaign_id,
      argMin(campaign.name, (priority, campaign.campaign_id)) AS name,
      argMin(campaign.network, (priority, campaign.campaign_id)) AS network,
      argMin(if(campaign.network = 'META', campaign.network_campaign_id, ''), (priority, campaign.campaign_id)) AS merged_id
    FROM (SELECT *, arrayConcat([display_id, network_campaign_id], utm_ids) AS keys FROM adtrail.campaigns FINAL WHERE project_id = {project_id:UInt32} AND NOT deleted) AS campaign
    ARRAY JOIN keys AS key, arrayEnumerate(keys) AS priority
    WHERE key != ''
    GROUP BY key
  ),
  all_touches AS (
    SELECT touch, channel, source, if(utm_id != '', utm_id, utm_campaign) AS key, utm_source, utm_medium, utm_campaign, utm_id, utm_content, utm_term, network_campaign_id, ad_set_id, ad_id
    FROM adtrail.web_touches FINAL
    WHERE project_id = {project_id:UInt32}
    UNION ALL
    SELECT 0, 'direct', '', '', '', '', '', '', '', '', '', '', ''
  ),
  touches AS (
    SELECT
      touch, source, all_touches.key AS key, campaign_keys.campaign_id AS campaign_id, campaign_keys.merged_id AS merged_id,
      {{id}} AS id,
      sipHash64(id, 'row') AS row
    FROM all_touches
    LEFT JOIN campaign_keys ON all_touches.key = campaign_keys.key
    WHERE ({channel:String} = '' OR channel = {channel:String})
      AND ({source:String} = '' OR source = {source:String})
      AND ({utm_source:String} = '' OR utm_source = {utm_source:String})
      AND ({utm_medium:String} = '' OR utm_medium = {utm_medium:String})
      AND ({utm_campaign:String} = '' OR utm_campaign = {utm_campaign:String})
      AND ({utm_id:String} = '' OR utm_id = {utm_id:String})
      AND ({utm_content:String} = '' OR utm_content = {utm_content:String})
      AND ({utm_term:String} = '' OR utm_term = {utm_term:String})
      AND ({network_campaign_id:String} = '' OR network_campaign_id = {network_campaign_id:String})
      AND ({ad_set_id:String} = '' OR ad_set_id = {ad_set_id:String})
      AND ({search:String} = '' OR positionCaseInsensitiveUTF8(id, {search:String}) > 0)
  ),
  -- Lists of equal order. Each is a scalar of its own: a tuple of them would be written out in every expression that uses it.
  (SELECT arrayPushBack(groupArray(touch), 18446744073709551615) FROM (SELECT touch FROM touches ORDER BY touch)) AS touches_of,
  (SELECT arrayPushBack(groupArray(row), 0) FROM (SELECT row FROM touches ORDER BY touch)) AS rows_of,
  {{sources}}
  {{paused}}
  element_sums AS (
    SELECT
      touch,
      sum(first_of_row) AS visitors,
      sum(first_of_source) AS source_visitors,
      sum(first_of_all) AS all_visitors,
      sum(session_of_row) AS sessions,
      sum(session_of_all) AS all_sessions,
      sum(views) AS page_views
    FROM (
      SELECT
        `element.{{model}}_touch` AS touch_list,
        `element.page_views` AS view_list,
        arrayMap((touch, day, pause_time) -> if(day BETWEEN {from:Date} AND {to:Date}{{not_paused}}, transform(touch, touches_of, rows_of, toUInt64(0)), 0), touch_list, `element.day`, `element.pause_time`) AS row_list,
        {{source_marks}} AS source_marks,
        arrayMap(nth -> nth = 1, arrayEnumerateUniq(row_list)) AS row_marks,
        arrayMap(nth -> nth = 1, arrayEnumerateUniq(row_list, `element.session`)) AS row_session_marks,
        arrayMap(row -> row != 0, row_list) AS counted,
        arrayMap(nth -> nth = 1, arrayEnumerateUniq(counted)) AS marks,
        arrayMap(nth -> nth = 1, arrayEnumerateUniq(counted, `element.session`)) AS session_marks
      FROM adtrail.web_visitors FINAL
      WHERE project_id = {project_id:UInt32} AND last_day >= {from:Date} AND first_day <= {to:Date}
    )
    ARRAY JOIN
      touch_list AS touch, row_list AS row, row_marks AS first_of_row, source_marks AS first_of_source, marks AS first_of_all, row_session_marks AS session_of_row, session_marks AS session_of_all, view_list AS views
    WHERE row != 0
    GROUP BY touch
  ),
  conversion_sums AS (
    SELECT
      touch,
      sum(is_signup) AS signups,
      countIf(NOT is_signup) AS purchases,
      sum(revenue) AS revenue,
      sumIf(first_of_row, is_signup) AS signup_visitors,
      sumIf(first_of_all, is_signup) AS all_signup_visitors,
      groupArrayIf(user, is_signup) AS signup_users
    FROM (
      SELECT
        `conversion.{{model}}_touch` AS touch_list,
        `conversion.is_signup` AS signup_list,
        `conversion.user` AS user_list,
        `conversion.revenue` AS revenue_list,
        arrayMap((touch, day, pause_time) -> if(day BETWEEN {from:Date} AND {to:Date}{{not_paused}}, transform(touch, touches_of, rows_of, toUInt64(0)), 0), touch_list, `conversion.day`, `conversion.pause_time`) AS row_list,
        arrayMap(nth -> nth = 1, arrayEnumerateUniq(row_list, signup_list)) AS row_marks,
        arrayMap(nth -> nth = 1, arrayEnumerateUniq(arrayMap(row -> row != 0, row_list), signup_list)) AS marks
      FROM adtrail.web_visitors FINAL
      WHERE project_id = {project_id:UInt32} AND last_day >= {from:Date} AND first_day <= {to:Date} AND notEmpty(`conversion.day`)
    )
    ARRAY JOIN touch_list AS touch, row_list AS row, row_marks AS first_of_row, marks AS first_of_all, signup_list AS is_signup, user_list AS user, revenue_list AS revenue
    WHERE row != 0
    GROUP BY touch
  ),
  {{event_sums}}
  by_source AS (
    SELECT
      touches.id AS id, touches.source AS source,
      any(touches.merged_id) AS merged_id, min(touches.key) AS least_key, max(touches.key) AS greatest_key,
      sum(element_sums.visitors) AS visitors, sum(element_sums.source_visitors) AS source_visitors, sum(element_sums.all_visitors) AS all_visitors,
      sum(element_sums.sessions) AS sessions, sum(element_sums.all_sessions) AS all_sessions, sum(element_sums.page_views) AS page_views,
      sum(conversion_sums.signups) AS signups, sum(conversion_sums.purchases) AS purchases, sum(conversion_sums.revenue) AS revenue,
      sum(conversion_sums.signup_visitors) AS signup_visitors, sum(conversion_sums.all_signup_visitors) AS all_signup_visitors,
      groupArrayArray(conversion_sums.signup_users) AS signup_users,
      {{event_counts}} AS event_counts
    FROM element_sums
    JOIN touches ON element_sums.touch = touches.touch
    LEFT JOIN conversion_sums ON element_sums.touch = conversion_sums.touch
    {{join_events}}
    GROUP BY id, source
  ),
  summed AS (
    SELECT
      by_source.id AS id, grouping(id) = 1 AS is_total,
      argMin(by_source.source, (-toInt64(by_source.source_visitors), by_source.source)) AS main_source,
      any(by_source.merged_id) != '' AND min(by_source.least_key) != max(by_source.greatest_key) AS merged,
      if(is_total, sum(by_source.all_visitors), sum(by_source.visitors)) AS visitors,
      if(is_total, sum(by_source.all_sessions), sum(by_source.sessions)) AS sessions,
      if(is_total, sum(by_source.all_signup_visitors), sum(by_source.signup_visitors)) AS signup_visitors,
      sum(by_source.page_views) AS page_views, sum(by_source.signups) AS signups, sum(by_source.purchases) AS purchases, sum(by_source.revenue) AS revenue,
      -- Here and not before: the smallest set takes more room than a touch, of which there may be a million.
      uniqExactArray(by_source.signup_users) AS unique_signup_users,
      {{sum_events}} AS event_counts
    FROM by_source
    GROUP BY GROUPING SETS ((id), ())
  ),
  {{google_campaigns}}
  named AS (
    SELECT
      {{summed_id}} AS id, is_total, campaign_keys.campaign_id AS campaign_id,
      multiIf(id = '', {no_key:String}, campaign_keys.name != '', campaign_keys.name, id) AS name,
      main_source, merged, visitors, sessions, page_views, signups, unique_signup_users, signup_visitors, purchases, revenue, event_counts
    FROM summed
    {{join_listed}}
    LEFT JOIN campaign_keys ON {{summed_id}} = campaign_keys.key AND {{matches_campaigns}}
    {{not_omitted}}
  )
SELECT id, is_total, campaign_id, name, main_source, merged, visitors, sessions, page_views, signups, unique_signup_users, signup_visitors, purchases, revenue, event_counts, total, truncated
FROM (
  SELECT *, countIf(NOT is_total) OVER () AS total, {{truncated}} AS truncated, row_number() OVER (PARTITION BY is_total ORDER BY {{sort}} {{order}}, id = '', id) AS nth
  FROM named
)
WHERE is_total OR nth BETWEEN {first:UInt64} AND {last:UInt64}
ORDER BY is_total DESC, nth
