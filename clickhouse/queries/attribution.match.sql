-- Reads, once, the touches that share an identifier with an install of run {run_id}: one row per touch, identifier and
-- version. Several versions of a touch may be among them: which of them counts is decided later.
--
-- Of each identifier and kind of touch the latest {max_touches} before an install are read, so that an address that a
-- million clicks came from costs no more than any other. They are counted for each install, from its time back to that
-- of the install before it on the same identifier: so what an install gets does not depend on the others of its run.
INSERT INTO adtrail.attribution_matches (
  run_id, project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id,
  os, has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
)
WITH identifiers AS (
  SELECT DISTINCT project_id, match, key, install_time
  FROM adtrail.attribution_batches
  ARRAY JOIN
    ['gaid', 'idfa', 'ip'] AS match,
    [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip)] AS key
  WHERE run_id = {run_id:UInt64} AND key != ''
)
SELECT
  {run_id:UInt64}, touch.project_id, touch.match, touch.key, touch_type, touch_id, touch_time, received_at, campaign_id,
  partner_id, kind, app_id, os, has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id,
  keyword_name, version
FROM (
  SELECT
    project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id, os,
    has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
  FROM adtrail.touch_keys
  -- Before the other columns are read.
  PREWHERE (project_id, match, key) IN (SELECT project_id, match, key FROM identifiers)
) AS touch
ASOF LEFT JOIN identifiers AS install
  ON touch.project_id = install.project_id AND touch.match = install.match AND touch.key = install.key
  AND touch.touch_time <= install.install_time
ORDER BY touch_time DESC
LIMIT {max_touches:UInt32} BY touch.project_id, touch.match, touch.key, touch_type, install.install_time
SETTINGS max_bytes_before_external_sort = 500000000
