-- Step named. One row per touch that may win, with what it names. Tables: adtrail.attribution_matches,
-- adtrail.attribution_candidates.
SELECT project_id, touch_id, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name
FROM adtrail.attribution_matches
WHERE run_id = {run_id:UInt64} AND (project_id, touch_id) IN (
  SELECT project_id, touch_id
  FROM adtrail.attribution_candidates
  WHERE run_id = {run_id:UInt64} AND reason = ''
)
