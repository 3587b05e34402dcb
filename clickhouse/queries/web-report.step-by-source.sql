-- Step by_source. One row per row of the report and source: what its touches are credited with. all_… are the sums that
-- make up the totals. Steps: touches, element_sums, conversion_sums.
SELECT
  touches.id AS id,
  touches.source AS source,
  any(touches.merged_id) AS merged_id,
  min(touches.key) AS least_key,
  max(touches.key) AS greatest_key,
  sum(element_sums.visitors) AS visitors,
  sum(element_sums.source_visitors) AS source_visitors,
  sum(element_sums.all_visitors) AS all_visitors,
  sum(element_sums.sessions) AS sessions,
  sum(element_sums.all_sessions) AS all_sessions,
  sum(element_sums.page_views) AS page_views,
  sum(conversion_sums.signups) AS signups,
  sum(conversion_sums.purchases) AS purchases,
  sum(conversion_sums.revenue) AS revenue,
  sum(conversion_sums.signup_visitors) AS signup_visitors,
  sum(conversion_sums.all_signup_visitors) AS all_signup_visitors,
  groupArrayArray(conversion_sums.signup_users) AS signup_users,
  sumMap(element_sums.event_counts) AS event_counts
FROM element_sums
JOIN touches ON element_sums.touch = touches.touch
LEFT JOIN conversion_sums ON element_sums.touch = conversion_sums.touch
GROUP BY id, source
