-- name: fill-clicks
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
  AND is_deleted = 0 AND cityHash64(click_id) % {chunks:UInt32} = {chunk:UInt32};

-- name: index-clicks
-- Writes one row per click stored from {from} on and before {to} (milliseconds) and identifier that it can be matched
-- by: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_identifier (project_id, identifier, touch_type, touch_time, touch_id)
SELECT project_id, bitShiftRight(sipHash64(project_id, match, key), 16), 'click', click_time, click_id
FROM adtrail.clicks
ARRAY JOIN
  ['gaid', 'idfa', 'ip'] AS match,
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip)] AS key
WHERE key != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(click_id) % {chunks:UInt32} = {chunk:UInt32};

-- name: fill-impressions
-- Writes one row per impression stored from {from} on and before {to} (milliseconds), with what a decision
-- needs of it, in the order that attribution.match.sql names: chunk {chunk} of {chunks}, by hash. Run twice it changes
-- nothing.
INSERT INTO adtrail.touches_by_id (project_id, touch_id, received_at, version, touch)
SELECT
  project_id, impression_id, received_at, version,
  toString((
    project_id, 'impression', toUnixTimestamp64Milli(impression_time), toUnixTimestamp64Milli(received_at),
    campaign_id, partner_id, '', app_id, '', ifNull(toString(gaid), ''), ifNull(toString(idfa), ''),
    '', vt_lookback,
    '', '', '', '', '', ''
  ))
FROM adtrail.impressions
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32};

-- name: index-impressions
-- Writes one row per impression stored from {from} on and before {to} (milliseconds) and advertising ID of it: chunk
-- {chunk} of {chunks}, by hash. Its IP address is never matched on. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_identifier (project_id, identifier, touch_type, touch_time, touch_id)
SELECT project_id, bitShiftRight(sipHash64(project_id, match, key), 16), 'impression', impression_time, impression_id
FROM adtrail.impressions
ARRAY JOIN ['gaid', 'idfa'] AS match, [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')] AS key
WHERE key != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32};

-- name: fill-ctv-impressions
-- Writes one row per connected-TV impression stored from {from} on and before {to} (milliseconds), with what a decision
-- needs of it, in the order that attribution.match.sql names: chunk {chunk} of {chunks}, by hash. Run twice it changes
-- nothing.
INSERT INTO adtrail.touches_by_id (project_id, touch_id, received_at, version, touch)
SELECT
  project_id, impression_id, received_at, version,
  toString((
    project_id, 'ctv_impression', toUnixTimestamp64Milli(impression_time), toUnixTimestamp64Milli(received_at),
    campaign_id, partner_id, '', app_id, '', '', '', if(ip_hash != '', ip_hash, ip), vt_lookback,
    '', '', '', '', '', ''
  ))
FROM adtrail.ctv_impressions
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32};

-- name: index-ctv-impressions
-- Writes one row per connected-TV impression stored from {from} on and before {to} (milliseconds), which is matched by
-- its IP address alone: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_identifier (project_id, identifier, touch_type, touch_time, touch_id)
SELECT
  project_id, bitShiftRight(sipHash64(project_id, 'ip', if(ip_hash != '', ip_hash, ip)), 16), 'ctv_impression',
  impression_time, impression_id
FROM adtrail.ctv_impressions
WHERE ip != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32};
