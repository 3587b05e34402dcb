-- name: select-dirty
-- Takes up the installs that something was stored about at these times, an event or a decision, every decided install
-- of {projects}, what is to be tried again, and where {former} the installs whose journeys lack columns. Parts are
-- stretches of the order of adtrail.records_by_install, so that each part reads only its stretch of it: of about
-- {rows_per_chunk} new rows, where an install itself counts as ten.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
SELECT {run_id:UInt64},
  intDiv(sum(weight) OVER (
    ORDER BY reinterpretAsUUID(sipHash128(project_id, install_id))
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ), {rows_per_chunk:UInt64}), 0, project_id, install_id
FROM (
  SELECT project_id, install_id, count() + 10 AS weight
  FROM (
    SELECT project_id, install_id FROM adtrail.app_events
    WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
      AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
    UNION ALL
    SELECT project_id, install_id FROM adtrail.installs
    WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
      AND ({all_installs:Bool} OR toUnixTimestamp64Milli(stored_at) IN {installs:Array(Int64)})
    UNION ALL
    SELECT project_id, install_id FROM adtrail.installs WHERE project_id IN {projects:Array(UInt32)}
    UNION ALL
    SELECT project_id, install_id FROM adtrail.journeys FINAL WHERE {former:Bool} AND layout = 0
    UNION ALL
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state = 'retry'
  )
  WHERE (project_id, install_id) NOT IN (
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state != 'retry'
  )
  GROUP BY project_id, install_id
)
SETTINGS max_bytes_before_external_group_by = 500000000, max_bytes_before_external_sort = 500000000,
  -- After an upgrade these are all installs.
  max_threads = 2, max_execution_time = 600;

-- name: seeds
-- One row per install that a part of a run is about, up to two of them.
SELECT DISTINCT project_id, install_id AS entity
FROM adtrail.journey_batches
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = 0
LIMIT 2;

-- name: split
-- Splits a part of a run in two, {first} and {second}: the installs that something was stored about, without those that
-- were taken up because of their devices.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
SELECT
  run_id,
  if(row_number() OVER (ORDER BY project_id, install_id) * 2 <= count() OVER (), {first:UInt16}, {second:UInt16}),
  0, project_id, install_id
FROM (
  SELECT DISTINCT run_id, project_id, install_id
  FROM adtrail.journey_batches
  WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = 0
);

-- name: projects
-- One row per project of which a part of a run has taken up installs.
SELECT DISTINCT project_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16};

-- name: index-event-names
-- Notes the event names and revenue types of the events stored at these times that are not noted yet.
INSERT INTO adtrail.event_names (project_id, kind, name)
SELECT DISTINCT project_id, if(type = 'event', 'event', 'payment'), if(type = 'event', name, payment_type)
FROM adtrail.app_events
PREWHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
  AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
WHERE type IN ('event', 'payment', 'refund')
  AND (project_id, if(type = 'event', 'event', 'payment'),
    if(type = 'event', name, payment_type)) NOT IN (SELECT project_id, toString(kind), name FROM adtrail.event_names);

-- name: collect
-- Copies what is known of the installs that round {round} of a part of a run has taken up: one row per event and
-- decision, as it counts. Of users and devices hashes are copied, so that a run that goes on while a person is being
-- forgotten leaves nothing of them here. The settings are those of attribution.match.sql, for the same reason.
INSERT INTO adtrail.journey_records (
  run_id, chunk, round, project_id, install_id, kind, record_key, user, devices, record
)
WITH
  taken_up AS (
    SELECT project_id, install_id, reinterpretAsUUID(sipHash128(project_id, install_id)) AS install
    FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = {round:UInt8}
  ),

  -- Among the rows of a record, the one with the greatest version counts. No column more than these: each costs one
  -- more read for each install.
  records AS (
    SELECT install, kind, record_key, person, record
    FROM adtrail.records_by_install
    PREWHERE install IN (SELECT install FROM taken_up) AND kind IN ('decision', 'event')
    ORDER BY version DESC
    LIMIT 1 BY install, kind, record_key
  )

SELECT
  {run_id:UInt64}, {chunk:UInt16}, {round:UInt8}, project_id, install_id, kind, record_key,
  if(named.user_id = '', 0, sipHash64(('user', named.user_id))),
  arrayMap(
    id -> (bitShiftRight(sipHash64(project_id, 'device', id), 16), reinterpretAsUUID(sipHash128(project_id, id))),
    arrayFilter(id -> id != '', [named.gaid, named.idfa])
  ),
  record
FROM (
  SELECT
    taken_up.project_id AS project_id, taken_up.install_id AS install_id, kind, record_key, record,
    CAST(if(person = '', '(\'\',\'\',\'\')', person), 'Tuple(user_id String, gaid String, idfa String)') AS named
  FROM records
  INNER JOIN taken_up ON records.install = taken_up.install
  WHERE record != ''
)
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1;

-- name: expand-by-device
-- Takes up further installs: those that share a device with one taken up before, whatever kind of ID names it. The
-- settings are those of attribution.match.sql, for the same reason.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
SELECT DISTINCT {run_id:UInt64}, {chunk:UInt16}, {round:UInt8}, project_id, install_id
FROM adtrail.installs_by_identifier
-- Column by column: most devices have no other install.
PREWHERE identifier IN (SELECT identifier FROM devices)
  AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
WHERE kind != 'user'
  AND reinterpretAsUUID(sipHash128(project_id, value)) IN (SELECT device FROM devices)
  AND (project_id, install_id) NOT IN (
    SELECT project_id, entity FROM adtrail.quarantine FINAL WHERE worker = 'install-journeys' AND state != 'retry'
  )
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1;

-- name: step-known-devices
-- One row per install of a part of a run and device that its events name, by its hashes. Devices are read from the
-- events: adtrail.installs_by_identifier may name one of a repeat of an event, which does not count.
SELECT DISTINCT project_id, install_id, hashes.identifier AS identifier, hashes.device AS device
FROM adtrail.journey_records
ARRAY JOIN devices AS hashes
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16};

-- name: count-round
-- How many installs a round of a part of a run has taken up.
SELECT count() AS rows FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  AND round = {round:UInt8};

-- name: find-root-installs
-- Finds the root install of each decided install of a part of a run: one row per install. The root of a reinstall is
-- the install that it repeats, where that is known. Every other install is its own root.
INSERT INTO adtrail.journey_members (run_id, chunk, project_id, install_id, root_install)
SELECT
  {run_id:UInt64}, {chunk:UInt16}, known_installs.project_id, known_installs.install_id,
  if(roots.root_install = '', known_installs.install_id, roots.root_install)
FROM known_installs
LEFT ANY JOIN roots
  ON known_installs.project_id = roots.project_id AND known_installs.install_id = roots.install_id;

-- name: step-known-installs
-- One row per decided install of a part of a run, as fill-installs of install-records.sql packed it.
SELECT
  project_id, install_id,
  CAST(record,
    'Tuple(app_id String, platform String, reinstall UInt8, install_time Int64, campaign_id UInt32, ad_set_id String,
      ad_set_name String, ad_id String, ad_name String, ad_type String, keyword_id String, keyword_name String,
      touch_type String, is_suspicious UInt8)') AS decision
FROM adtrail.journey_records
-- Before anything is unpacked.
PREWHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND kind = 'decision';

-- name: step-installs-by-device
-- One row per decided install of a part of a run and device of it.
SELECT
  known_installs.project_id AS project_id, known_installs.install_id AS install_id, decision.app_id AS app_id,
  device, decision.install_time AS install_time, decision.reinstall AS reinstall
FROM known_installs
INNER JOIN known_devices
  ON known_installs.project_id = known_devices.project_id AND known_installs.install_id = known_devices.install_id;

-- name: step-roots
-- One row per reinstall whose install is known: the latest install of the app on the device up to then.
SELECT
  again.project_id AS project_id, again.install_id AS install_id,
  argMax(earlier.install_id, (earlier.install_time, earlier.install_id)) AS root_install
FROM installs_by_device AS again
INNER JOIN installs_by_device AS earlier
  ON again.project_id = earlier.project_id AND again.app_id = earlier.app_id AND again.device = earlier.device
WHERE again.reinstall = 1 AND earlier.reinstall = 0 AND earlier.install_time <= again.install_time
GROUP BY again.project_id, again.install_id;

-- name: derive
-- Writes one row per journey of a part of a run, for the projects of one time zone. Days are those of the projects, by
-- the time of the event.
INSERT INTO adtrail.journeys (
  project_id, report_view, campaign_id, root_install, conversion_id, kind, install_id, platform, app_id,
  ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name, touch_type, rule, suspicious,
  country, os_version, app_version,
  start_time, start_day, active_days, last_active_day, active_dates, seen_dates, last_event_time,
  signup_days, uninstall_days,
  money_days, money_utc_days, money_refunds, money_types, money_currencies, money_amounts,
  event_days, event_names, event_users,
  priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts, layout, version
)
SELECT
  project_id, if(journey.kind = 'install', 'user_acquisition', 'retargeting'), journey.campaign_id,
  reinterpretAsUUID(sipHash128(root_install)), journey.conversion_id, journey.kind, root_install,
  platform, journey.app_id,
  journey.ad_set_id, journey.ad_set_name, journey.ad_id, journey.ad_name, journey.ad_type,
  journey.keyword_id, journey.keyword_name, journey.touch_type, journey.rule, journey.suspicious,
  journey.country, journey.os_version, journey.app_version,
  journey.start_time, start_day,
  -- Bit N for day N.
  arrayReduce('groupBitOr',
    arrayMap(day -> toUInt32(bitShiftLeft(toUInt64(1), day)), arrayFilter(day -> day <= 30, active))),
  toUInt16(least(arrayMax(arrayPushBack(active, 0)), 65535)),
  arraySort(arrayDistinct(arrayMap(e -> e.day, arrayFilter(e -> e.is_activity AND e.day >= start_day, own_events)))),
  arraySort(arrayDistinct(own_events.day)),
  arrayMax(arrayPushBack(own_events.time, toDateTime64(0, 3, 'UTC'))),
  own_signups.day, own_uninstalls.day,
  own_money.day, own_money.utc_day, own_money.is_refund, own_money.payment_type, own_money.currency,
  own_money.signed_amount,
  own_named.day, own_named.name,
  arrayMap(user -> multiIf(
    user != 0, user,
    known_user != 0, known_user,
    sipHash64(('install', root_install))
  ), own_named.user),
  own_priced.day, own_priced.utc_day, own_priced.name, own_priced.currency, own_priced.signed_amount,
  1, {run_id:UInt64}
FROM journeys
SETTINGS enable_named_columns_in_function_tuple = 1;

-- name: step-known-events
-- One row per event of a part of a run, as fill-app-events of install-records.sql packed it.
SELECT
  project_id, install_id, if(event.id = '', record_key, toUUIDOrZero(event.id)) AS id,
  user,
  CAST(record,
    'Tuple(id String, type String, time Int64, link_campaign_id UInt32, name String, payment_type String,
      currency String, amount Nullable(Decimal(38, 9)))') AS event
FROM adtrail.journey_records
-- Before anything is unpacked.
PREWHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND kind = 'event';

-- name: step-members
-- One row per install of a part of a run, with the install that it repeats: its root.
SELECT project_id, install_id, root_install
FROM adtrail.journey_members
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND project_id IN {projects:Array(UInt32)};

-- name: step-installs
-- One row per root install: the journeys that its installs and reinstalls begin.
SELECT
  project_id, root_install, any(platform) AS platform,
  groupArray((
    kind, install_id, start_time, conversion_id, campaign_id, ad_set_id, ad_set_name, ad_id, ad_name, ad_type,
    keyword_id, keyword_name, touch_type, suspicious, app_id, rule, country, os_version, app_version
  )) AS installs
FROM (
  SELECT
    member.project_id AS project_id, member.root_install AS root_install, decision.platform AS platform,
    if(decision.reinstall = 1, 'reinstall', 'install') AS kind, known_installs.install_id AS install_id,
    fromUnixTimestamp64Milli(decision.install_time, 'UTC') AS start_time,
    if(decision.reinstall = 1, reinterpretAsUUID(sipHash128(install_id)), toUUIDOrZero('')) AS conversion_id,
    decision.campaign_id AS campaign_id, decision.ad_set_id AS ad_set_id, decision.ad_set_name AS ad_set_name,
    decision.ad_id AS ad_id, decision.ad_name AS ad_name, decision.ad_type AS ad_type,
    decision.keyword_id AS keyword_id, decision.keyword_name AS keyword_name, decision.touch_type AS touch_type,
    decision.is_suspicious AS suspicious, decision.app_id AS app_id, origins.rule AS rule,
    origins.country AS country, origins.os_version AS os_version, origins.app_version AS app_version
  FROM members AS member
  INNER JOIN known_installs
    ON member.project_id = known_installs.project_id AND member.install_id = known_installs.install_id
  LEFT ANY JOIN origins ON member.project_id = origins.project_id AND member.install_id = origins.install_id
)
GROUP BY project_id, root_install;

-- name: step-origins
-- One row per install of a part of a run: by which rule it was decided, and what is known of its install event. Read
-- where it lies, and not copied for the run: a person who is being forgotten leaves no text of theirs in a copy.
SELECT
  project_id, install_id,
  anyIf(record, kind = 'rule') AS rule,
  anyIf(record, kind = 'origin') AS country,
  anyIf(versions, kind = 'origin')[1] AS os_version,
  anyIf(versions, kind = 'origin')[2] AS app_version
FROM (
  SELECT project_id, install_id, kind, record, versions
  FROM adtrail.records_by_install
  PREWHERE kind IN ('origin', 'rule') AND install IN (
    SELECT reinterpretAsUUID(sipHash128(project_id, install_id)) FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  )
  ORDER BY version DESC
  LIMIT 1 BY install, kind
)
GROUP BY project_id, install_id;

-- name: step-events
-- One row per root install: the events of all its installs, one list for each use.
SELECT
  project_id, root_install,
  groupArray((install_hash, time, day, is_activity)) AS all_events,
  groupArrayIf((install_id, time, id, campaign_id), type = 'open' AND campaign_id != 0) AS link_opens,
  groupArrayIf((time, day), type = 'signup') AS signups,
  groupArrayIf((time, day), type = 'uninstall') AS uninstalls,
  groupArrayIf((time, day, utc_day, is_refund, payment_type, currency, signed_amount),
    type IN ('payment', 'refund')) AS money,
  groupArrayIf((time, day, name, user), type = 'event') AS named,
  groupArrayIf((time, day, utc_day, name, currency, signed_amount), type = 'event' AND is_priced) AS priced,
  -- The user of an event that names none: that of the latest sign-up, else the latest known.
  argMaxIf(user, (type = 'signup', time, id), user != 0) AS known_user
FROM (
  SELECT
    member.project_id AS project_id, member.root_install AS root_install,
    known_events.install_id AS install_id, sipHash64(install_id) AS install_hash,
    known_events.id AS id, event.type AS type, fromUnixTimestamp64Milli(event.time, 'UTC') AS time,
    toDate(time, {timezone:String}) AS day, toDate(time) AS utc_day,
    type NOT IN ('install', 'uninstall', 'refund') AS is_activity, event.link_campaign_id AS campaign_id,
    event.name AS name, known_events.user AS user, event.payment_type AS payment_type, event.currency AS currency,
    type = 'refund' AS is_refund, isNotNull(event.amount) AS is_priced,
    if(is_refund, -ifNull(event.amount, 0), ifNull(event.amount, 0)) AS signed_amount
  FROM members AS member
  INNER JOIN known_events
    ON member.project_id = known_events.project_id AND member.install_id = known_events.install_id
)
GROUP BY project_id, root_install;

-- name: step-episodes
-- One row per root install, with its reinstalls and re-engagements in order. A re-engagement is an open by a link of a
-- campaign, 24 hours after its install at the earliest and after inactivity_days without an event. It has no touch.
SELECT
  project_id, root_install, platform, known_user, all_events, signups, uninstalls, money, named, priced,
  arrayFilter(
    open -> arrayExists(
      i -> i.install_id = open.install_id AND open.time >= i.start_time + INTERVAL 24 HOUR, installs
    ) AND NOT arrayExists(
      e -> e.install_hash = sipHash64(open.install_id) AND e.time < open.time
        AND dateDiff('millisecond', e.time, open.time) < {inactivity_days:UInt32} * 86400000, all_events
    ), link_opens
  ) AS returns,
  -- A re-engagement is on the device and the app of the root install.
  arrayFirst(i -> i.install_id = root_install, installs) AS root,
  -- The fields of an install.
  arrayMap(open -> (
    'reengagement' AS kind, open.install_id AS install_id, open.time AS start_time, open.id AS conversion_id,
    open.campaign_id AS campaign_id, '' AS ad_set_id, '' AS ad_set_name, '' AS ad_id, '' AS ad_name, '' AS ad_type,
    '' AS keyword_id, '' AS keyword_name, '' AS touch_type, 0 AS suspicious, root.app_id AS app_id, '' AS rule,
    root.country AS country, root.os_version AS os_version, root.app_version AS app_version
  ), returns) AS reengagements,
  arrayFilter(i -> i.kind = 'install', installs) AS first_installs,
  arraySort(j -> (j.start_time, j.conversion_id),
    arrayConcat(arrayFilter(i -> i.kind = 'reinstall', installs), reengagements)) AS episodes
FROM installs_by_root
INNER JOIN events_by_root ON installs_by_root.project_id = events_by_root.project_id
  AND installs_by_root.root_install = events_by_root.root_install;

-- name: step-journeys
-- One row per journey with its own events. An install has all events of its root; a reinstall or re-engagement has
-- those from its start until the start of the next one.
SELECT
  project_id, root_install, platform, known_user, journey,
  toDate(journey.start_time, {timezone:String}) AS start_day,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, all_events) AS own_events,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, signups) AS own_signups,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, uninstalls) AS own_uninstalls,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, money) AS own_money,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, named) AS own_named,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, priced) AS own_priced,
  -- Days with activity, counted from the start day.
  arrayDistinct(arrayMap(e -> toInt32(e.day) - toInt32(start_day),
    arrayFilter(e -> e.is_activity AND e.day > start_day, own_events))) AS active
FROM episodes_by_root
ARRAY JOIN
  arrayConcat(first_installs, episodes) AS journey,
  arrayConcat(arrayMap(_ -> toDateTime64('1900-01-01 00:00:00', 3, 'UTC'), first_installs),
    episodes.start_time) AS from_time,
  arrayConcat(arrayMap(_ -> toDateTime64('2299-01-01 00:00:00', 3, 'UTC'), first_installs),
    arrayShiftLeft(episodes.start_time, 1, toDateTime64('2299-01-01 00:00:00', 3, 'UTC'))) AS to_time;

-- name: delete-stale
-- Drops the journeys of the installs of a part of a run that the run has not derived again.
INSERT INTO adtrail.journeys (project_id, report_view, campaign_id, root_install, conversion_id, version, is_deleted)
SELECT project_id, report_view, campaign_id, root_install, conversion_id, {run_id:UInt64}, 1
FROM adtrail.journeys
WHERE root_install IN (SELECT reinterpretAsUUID(sipHash128(install_id)) FROM adtrail.journey_batches
  WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16})
  AND project_id IN (SELECT project_id FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64}
    AND chunk = {chunk:UInt16})
GROUP BY project_id, report_view, campaign_id, root_install, conversion_id
HAVING max(version) < {run_id:UInt64} AND argMax(is_deleted, version) = 0;
