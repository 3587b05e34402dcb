-- Reads, once, the clicks that the install referrers of run {run_id} name: one row per click.
INSERT INTO adtrail.attribution_matches (
  run_id, project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id,
  os, has_gaid, has_idfa, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
)
WITH referrers AS (
  SELECT project_id, assumeNotNull(referrer_click_id) AS click_id
  FROM adtrail.attribution_batches
  WHERE run_id = {run_id:UInt64} AND isNotNull(referrer_click_id)
)
SELECT
  {run_id:UInt64}, project_id, 'referrer', toString(click_id), 'click', click_id, click_time, received_at, campaign_id,
  partner_id, kind, app_id, os, isNotNull(gaid), isNotNull(idfa), ad_set_id, ad_set_name, ad_id, ad_name, keyword_id,
  keyword_name, version
FROM adtrail.clicks FINAL
WHERE project_id IN (SELECT project_id FROM referrers)
  -- FINAL reads these days only. The inner query is answered by the projection by_id.
  AND bucket IN (SELECT bucket FROM adtrail.clicks WHERE click_id IN (SELECT click_id FROM referrers))
  AND click_id IN (SELECT click_id FROM referrers)
