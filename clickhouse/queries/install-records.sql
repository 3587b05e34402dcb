-- name: fill-app-events
-- Writes one row per app event stored from {from} on and before {to} (milliseconds), with what a journey needs of it,
-- in the order that step-known-events of install-journeys.sql names, and of an install event one more with its country
-- and versions: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.records_by_install (
  project_id, install, install_id, kind, record_key, received_at, version, is_deleted, person, versions, record
)
SELECT
  project_id, reinterpretAsUUID(sipHash128(project_id, install_id)), install_id, kind, event_key, received_at,
  version, is_deleted,
  if(kind = 'origin' OR user_id = '' AND gaid IS NULL AND idfa IS NULL, '',
    toString((user_id, ifNull(toString(gaid), ''), ifNull(toString(idfa), '')))),
  if(is_deleted OR kind != 'origin', [],
    [JSONExtractString(device, 'os_version'), JSONExtractString(device, 'app_version')]),
  multiIf(
    is_deleted, '',
    kind = 'origin', toString(country),
    toString((
      -- Where it is not that of the row.
      if(id = event_key, '', toString(id)), type, toUnixTimestamp64Milli(time), link_campaign_id, name, payment_type,
      currency, amount
    ))
  )
FROM adtrail.app_events
ARRAY JOIN if(type = 'install', ['event', 'origin'], ['event']) AS kind
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32};

-- name: fill-installs
-- Writes two rows per decision stored from {from} on and before {to} (milliseconds): with what a journey needs of it,
-- in the order that step-known-installs of install-journeys.sql names, and with its rule. Chunk {chunk} of {chunks}, by
-- hash. Run twice it changes nothing.
INSERT INTO adtrail.records_by_install (
  project_id, install, install_id, kind, record_key, received_at, version, is_deleted, record
)
SELECT
  project_id, reinterpretAsUUID(sipHash128(project_id, install_id)), install_id, kind, toUUIDOrZero(''),
  received_at, version, is_deleted,
  multiIf(
    is_deleted, '',
    kind = 'rule', toString(rule),
    toString((
      app_id, platform, reinstall, toUnixTimestamp64Milli(install_time), campaign_id, ad_set_id, ad_set_name, ad_id,
      ad_name, ad_type, keyword_id, keyword_name, touch_type, click_injection OR install_hijacking
    ))
  )
FROM adtrail.installs
ARRAY JOIN ['decision', 'rule'] AS kind
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32};
