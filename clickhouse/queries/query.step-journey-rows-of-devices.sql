-- Step journey_rows of queries that ask for what the install event says of the device: its country and the versions
-- that it named. One row per row of the step plain_rows. Step: plain_rows. Table: adtrail.app_events.
SELECT
  journey.* EXCEPT (country, os_version, app_version), CAST(install_event.country, 'String') AS country,
  install_event.os_version AS os_version, install_event.app_version AS app_version
FROM plain_rows AS journey
LEFT ANY JOIN (
  SELECT
    reinterpretAsUUID(sipHash128(install_id)) AS install_hash, country,
    JSONExtractString(device, 'os_version') AS os_version, JSONExtractString(device, 'app_version') AS app_version
  FROM adtrail.app_events FINAL
  -- Keys of install events are below this one, and all versions of a row have the same key: nearly all other events are
  -- left out before FINAL compares them.
  PREWHERE event_key < toUUID('00000000-0000-0000-0001-000000000000')
  WHERE project_id = {project_id:UInt32} AND type = 'install'
) AS install_event ON journey.install_hash = install_event.install_hash
