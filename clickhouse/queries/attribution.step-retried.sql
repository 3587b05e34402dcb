-- Of step queued: those that were set aside and are to be tried again.
SELECT
  project_id, install_id, event_key, event_id, time, received_at, app_id, platform, gaid, idfa, ip, ip_hash, ua,
  os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version, is_deleted
FROM adtrail.app_events
WHERE type = 'install' AND (project_id, install_id) IN (
  SELECT project_id, entity
  FROM adtrail.quarantine FINAL
  WHERE worker = 'attribution' AND state = 'retry'
)
