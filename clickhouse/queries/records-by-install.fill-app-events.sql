-- Writes one row per app event stored from {from} on and before {to} (milliseconds), with what a journey needs of it,
-- in the order that install-journeys.step-known-events.sql names: chunk {chunk} of {chunks}, by hash. Run twice it
-- changes nothing.
INSERT INTO adtrail.records_by_install (
  project_id, install, install_id, kind, record_key, received_at, version, is_deleted, person, record
)
SELECT
  project_id, reinterpretAsUUID(sipHash128(project_id, install_id)), install_id, 'event', event_key, received_at,
  version, is_deleted,
  if(user_id = '' AND gaid IS NULL AND idfa IS NULL, '',
    toString((user_id, ifNull(toString(gaid), ''), ifNull(toString(idfa), '')))),
  if(is_deleted, '', toString((
    -- Where it is not that of the row.
    if(id = event_key, '', toString(id)), type, toUnixTimestamp64Milli(time), link_campaign_id, name, payment_type,
    currency, amount
  )))
FROM adtrail.app_events
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
