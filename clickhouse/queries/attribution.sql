-- name: users
-- One row per install or reinstall that campaign {campaign} is credited with from {from} on and before {to}
-- (milliseconds): one page, the latest first.
SELECT
  install_id, install_time, touch_type, touch_time, ad_set_id, ad_set_name, ad_id, ad_name, publisher_platform,
    platform_position
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND campaign_id = {campaign:UInt32} AND is_deleted = 0
  AND install_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    AND install_time < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
ORDER BY adtrail.installs.install_time DESC, install_id
LIMIT {limit:UInt32} OFFSET {offset:UInt64};

-- name: users-count
-- How many installs and reinstalls campaign {campaign} is credited with from {from} on and before {to} (milliseconds).
SELECT count() AS total
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND campaign_id = {campaign:UInt32} AND is_deleted = 0
  AND install_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    AND install_time < fromUnixTimestamp64Milli({to:Int64}, 'UTC');

-- name: profiles
-- One row per install of {installs} and key that its events say something of: the latest value by the time of the event
-- that is not null, as JSON. `about` says whether the key is the user's or the device's.
SELECT install_id, about, fact.key AS key, argMax(fact.value, (time, id)) AS value
FROM (
  SELECT
    install_id, time, id, about, JSONExtractKeysAndValuesRaw(json)::Array(Tuple(key String, value String)) AS facts
  FROM adtrail.app_events FINAL
  ARRAY JOIN ['user', 'device'] AS about, [user, device] AS json
  WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)} AND json != ''
)
ARRAY JOIN facts AS fact
WHERE fact.value != 'null'
GROUP BY install_id, about, key;

-- name: result
-- The latest install that the user or device whose identifier of one of {kinds} is {value}; one row at most.
SELECT
  install_id, install_time, rule, campaign_id, touch_type, touch_time, gaid, idfa, ad_set_id, ad_set_name, ad_id,
    ad_name, keyword_id, keyword_name
FROM adtrail.installs FINAL
WHERE project_id = {project:UInt32} AND is_deleted = 0
  AND install_id IN (SELECT install_id FROM adtrail.installs_by_identifier
    WHERE identifier IN (
      SELECT bitShiftRight(sipHash64({project:UInt32}, arrayJoin(['user', 'device']), {value:String}), 16)
    ) AND project_id = {project:UInt32} AND toString(kind) IN {kinds:Array(String)} AND value = {value:String})
ORDER BY adtrail.installs.install_time DESC, install_id DESC
LIMIT 1;

-- name: user-id
-- The identifier of the user of install {install}: the one of the sign-up, else the latest known; empty if there is
-- none.
SELECT argMax(user_id, (type = 'signup', time, id)) AS known
FROM adtrail.app_events FINAL
WHERE project_id = {project:UInt32} AND install_id = {install:String} AND user_id != '';

-- name: explain
-- The decision about install {install}, as it was made; one row at most.
SELECT *
FROM analytics.installs
WHERE project_id = {project:UInt32} AND install_id = {install:String};

-- name: pending
-- Whether install {install} has been received.
SELECT count() > 0 AS received
FROM adtrail.app_events
WHERE project_id = {project:UInt32} AND install_id = {install:String} AND type = 'install' AND is_deleted = 0;

-- name: find-reinstalls
-- Finds the reinstalls of run {run_id}: one row per install whose device had an event in the same app before, within
-- reinstall_window_days. Only events count that were received by the time the install was. The settings are those of
-- attribution.match.sql, for the same reason.
INSERT INTO adtrail.attribution_reinstalls (run_id, project_id, install_id)
WITH
  devices AS (
    SELECT project_id, install_id, kind, assumeNotNull(value) AS value
    FROM adtrail.attribution_batches
    ARRAY JOIN ['gaid', 'idfa'] AS kind, [toString(gaid), toString(idfa)] AS value
    WHERE run_id = {run_id:UInt64} AND isNotNull(value)
  ),

  -- Installs whose events name one of these devices.
  known_installs AS (
    SELECT project_id, toString(kind) AS kind, value, install_id
    FROM adtrail.installs_by_identifier
    -- Before the other columns are read.
    PREWHERE identifier IN (SELECT bitShiftRight(sipHash64(project_id, 'device', value), 16) FROM devices)
    WHERE (project_id, kind, value) IN (SELECT project_id, kind, value FROM devices)
  ),

  -- One row per install of the run and other install on its device.
  earlier_installs AS (
    SELECT DISTINCT
      devices.project_id AS project_id, devices.install_id AS install_id, known_installs.install_id AS other_install_id
    FROM devices
    INNER JOIN known_installs ON devices.project_id = known_installs.project_id
      AND devices.kind = known_installs.kind AND devices.value = known_installs.value
    WHERE other_install_id != install_id
  ),

  events AS (
    SELECT project_id, install_id, app_id, time, received_at, gaid, idfa
    FROM adtrail.app_events FINAL
    PREWHERE (project_id, install_id) IN (SELECT project_id, other_install_id FROM earlier_installs)
  )

SELECT DISTINCT {run_id:UInt64}, batch.project_id, batch.install_id
FROM earlier_installs AS earlier
INNER JOIN (
  SELECT project_id, install_id, install_time, received_at, app_id, gaid, idfa
  FROM adtrail.attribution_batches
  WHERE run_id = {run_id:UInt64}
) AS batch ON earlier.project_id = batch.project_id AND earlier.install_id = batch.install_id
LEFT ANY JOIN (SELECT project_id, reinstall_window_days FROM adtrail.projects FINAL) AS project
  ON earlier.project_id = project.project_id
INNER JOIN events AS event ON earlier.project_id = event.project_id AND earlier.other_install_id = event.install_id
WHERE event.received_at <= batch.received_at
GROUP BY batch.project_id, batch.install_id, earlier.other_install_id
-- What adtrail.installs_by_identifier notes of a repeat of an event does not count: the device must be that of an event
-- itself.
HAVING countIf(ifNull(event.gaid = batch.gaid, 0) OR ifNull(event.idfa = batch.idfa, 0)) > 0
  AND countIf(
    event.app_id = batch.app_id AND event.time < batch.install_time
    AND event.time >= batch.install_time - toIntervalDay(project.reinstall_window_days)
  ) > 0
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1;

-- name: batch
-- One row: how many installs run {run_id} has taken up, when the last of them was received (milliseconds), and which
-- campaigns of ad networks they name in their attribution, each with its project, network, ID at the network, and name,
-- the latest received.
SELECT
  sum(of_campaign) AS installs,
  toUnixTimestamp64Milli(max(last_received)) AS last_received,
  groupArrayIf((project_id, network, network_campaign_id, name), network != '') AS named
FROM (
  SELECT
    project_id,
    if(JSONExtractUInt(attribution, 'campaign_id') = 0, JSONExtractString(attribution, 'network'), '') AS network,
    if(network != '', JSONExtractString(attribution, 'network_campaign_id'), '') AS network_campaign_id,
    argMaxIf(
      JSONExtractString(attribution, 'network_campaign_name'), received_at,
      JSONExtractString(attribution, 'network_campaign_name') != '') AS name,
    count() AS of_campaign,
    max(received_at) AS last_received
  FROM adtrail.attribution_batches
  WHERE run_id = {run_id:UInt64}
  GROUP BY project_id, network, network_campaign_id
);

-- name: installs-of-batch
-- One row per install that run {run_id} has taken up.
SELECT project_id, install_id AS entity FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64};

-- name: oldest-open
-- One row: how many install events put into the queue from {from} on were received after {settled}, and when the first
-- of them and of those of run {run_id} was stored, else {from} (milliseconds since 1970).
SELECT
  countIf(received_at > fromUnixTimestamp64Milli({settled:Int64}, 'UTC')) AS open,
  if(count() = 0, {from:Int64}, toUnixTimestamp64Milli(min(stored_at))) AS oldest
FROM adtrail.install_queue
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND (received_at > fromUnixTimestamp64Milli({settled:Int64}, 'UTC') OR (project_id, install_id) IN (
    SELECT project_id, install_id FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64}));

-- name: decided-days
-- One row per day of the queue that is over and decided: before the day of {before} (milliseconds since 1970).
-- cluster: of every node
SELECT DISTINCT partition_id AS day
FROM system.parts
WHERE database = 'adtrail' AND table IN ('install_queue', 'install_queue_local') AND active
  AND partition_id < toString(toYYYYMMDD(fromUnixTimestamp64Milli({before:Int64}, 'UTC')));

-- name: deciding
-- How many statements with one of {tags} are running: the process that sent one may be gone while it goes on.
-- cluster: of every node
SELECT count() AS statements FROM system.processes WHERE Settings['log_comment'] IN {tags:Array(String)};
