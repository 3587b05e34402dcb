-- Step queued. One row per install event that may have to be decided, with its repeats and what hides it: of those put
-- into the queue from {from} on. Of lane {lane} of {lanes}, or of all where it is 0.
SELECT
  project_id, install_id, event_key, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash, ua,
  os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version, is_deleted
FROM adtrail.install_queue
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND ({lane:UInt8} = 0 OR sipHash64(project_id, install_id) % {lanes:UInt8} + 1 = {lane:UInt8})
  AND (project_id, install_id) NOT IN (SELECT project_id, entity FROM adtrail.quarantine FINAL
    WHERE worker = 'attribution')
  -- By the projection by_arrival; a decision is stored after the install that it is about.
  AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.installs
    WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC'))
