-- One row per row of the web report on one page, in order, and before them one with the totals over all pages. Days are
-- those of Asia/Kolkata, from {from} to {to}. An empty ID is the row of what has no key. `total` is the number of rows
-- on all pages. Step: named.
SELECT
  id, is_total, campaign_id, name, main_source, merged, visitors, sessions, page_views, signups, unique_signup_users,
  signup_visitors, purchases, revenue, total, truncated,
  mapKeys(event_counts) AS event_names,
  mapValues(event_counts) AS event_times
FROM (
  SELECT
    id, is_total, campaign_id, name, main_source, merged, visitors, sessions, page_views, signups, unique_signup_users,
    signup_visitors, purchases, revenue, event_counts, truncated,
    countIf(NOT is_total) OVER () AS total,
    row_number() OVER (
      PARTITION BY is_total
      ORDER BY sort_number, sort_name, sort_name_backwards DESC, id = '', id
    ) AS nth
  FROM named
)
WHERE is_total OR nth BETWEEN {first:UInt64} AND {last:UInt64}
ORDER BY is_total DESC, nth
