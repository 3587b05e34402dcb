-- Writes two rows per decision stored from {from} on and before {to} (milliseconds): with what a journey needs of it,
-- in the order that install-journeys.step-known-installs.sql names, and with its rule. Chunk {chunk} of {chunks}, by
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
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
