-- Writes one row per click stored from {from} on and before {to} (milliseconds), with what a decision needs of it, in
-- the order that attribution.match.sql names: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_id (project_id, touch_id, received_at, version, touch)
SELECT
  project_id, click_id, received_at, version,
  toString((
    project_id, 'click', toUnixTimestamp64Milli(click_time), toUnixTimestamp64Milli(received_at), campaign_id,
    partner_id, kind, app_id, os, ifNull(toString(gaid), ''), ifNull(toString(idfa), ''),
    if(ip_hash != '', ip_hash, ip), NULL, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name
  ))
FROM adtrail.clicks
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(click_id) % {chunks:UInt32} = {chunk:UInt32}
