-- Reads, once, the touches that share an identifier with an install of run {run_id}: one row per touch, identifier and
-- version. Several versions of a touch may be among them: which of them counts is decided later.
INSERT INTO adtrail.attribution_matches (
  run_id, project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id,
  os, has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
)
WITH identifiers AS (
  SELECT project_id, match, key
  FROM adtrail.attribution_batches
  ARRAY JOIN
    ['gaid', 'idfa', 'ip'] AS match,
    [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), ip] AS key
  WHERE run_id = {run_id:UInt64} AND key != ''
)
SELECT
  {run_id:UInt64}, project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind,
  app_id, os, has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
FROM adtrail.touch_keys
-- Before the other columns are read.
PREWHERE (project_id, match, key) IN (SELECT project_id, match, key FROM identifiers)
