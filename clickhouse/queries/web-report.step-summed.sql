-- Step summed. One row per row of the report that has visitors, and one with the totals over all. Step: by_source.
SELECT
  by_source.id AS id,
  grouping(id) = 1 AS is_total,
  -- The source of most visitors; of several the first by name.
  argMin(by_source.source, (-toInt64(by_source.source_visitors), by_source.source)) AS main_source,
  any(by_source.merged_id) != '' AND min(by_source.least_key) != max(by_source.greatest_key) AS merged,
  if(is_total, sum(by_source.all_visitors), sum(by_source.visitors)) AS visitors,
  if(is_total, sum(by_source.all_sessions), sum(by_source.sessions)) AS sessions,
  if(is_total, sum(by_source.all_signup_visitors), sum(by_source.signup_visitors)) AS signup_visitors,
  sum(by_source.page_views) AS page_views,
  sum(by_source.signups) AS signups,
  sum(by_source.purchases) AS purchases,
  sum(by_source.revenue) AS revenue,
  -- Here and not before: the smallest set takes more room than a touch, of which there may be a million.
  uniqExactArray(by_source.signup_users) AS unique_signup_users,
  sumMap(by_source.event_counts) AS event_counts,
  0 AS truncated
FROM by_source
GROUP BY GROUPING SETS ((id), ())
