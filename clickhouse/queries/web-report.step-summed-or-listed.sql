-- Step summed of reports that list Google's synced campaigns even without visitors: one row as in the step
-- with_visitors, or per campaign. The first {max_listed} campaigns are listed; beyond them, those with visitors are
-- left out too, and `truncated` says so. Steps: with_visitors, google_campaigns.
SELECT
  if(with_visitors.id = '', listed.id, with_visitors.id) AS id,
  is_total, main_source, merged, visitors, sessions, signup_visitors, page_views, signups, purchases, revenue,
  unique_signup_users, event_counts,
  (SELECT count() > {max_listed:UInt32} FROM google_campaigns) AS truncated
FROM with_visitors
FULL JOIN (SELECT id FROM google_campaigns WHERE place <= {max_listed:UInt32}) AS listed
  ON with_visitors.id = listed.id
WHERE is_total OR id NOT IN (SELECT id FROM google_campaigns WHERE place > {max_listed:UInt32})
