-- Writes one row per click stored from {from} on and before {to} (milliseconds) and identifier that it can be matched
-- by: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touch_keys (
  project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id, os,
  has_gaid, has_idfa, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
)
SELECT
  project_id, match, key, 'click', click_id, click_time, received_at, campaign_id, partner_id, kind, app_id, os,
  isNotNull(gaid), isNotNull(idfa), ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
FROM adtrail.clicks
ARRAY JOIN
  ['gaid', 'idfa', 'ip'] AS match,
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip)] AS key
WHERE key != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(click_id) % {chunks:UInt32} = {chunk:UInt32}
