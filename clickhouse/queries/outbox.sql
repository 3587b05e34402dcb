-- name: batch
-- One row: what run {run_id} settles. Table: adtrail.outbox_batches.
SELECT
  count() AS events,
  countIf(touch_type = 'click') AS clicks,
  countIf(touch_type = 'impression') AS impressions,
  countIf(touch_type = 'ctv_impression') AS ctv_impressions,
  countIf(type = 'open' AND link_campaign_id != 0 AND time >= install_time + INTERVAL 24 HOUR) AS link_opens
FROM adtrail.outbox_batches
WHERE run_id = {run_id:UInt64};

-- name: step-returns
-- Step returns. One row per open of run {run_id} by a link of a campaign that is a re-engagement: 24 hours after its
-- install at the earliest, and after inactivity_days without an event.
SELECT opened.project_id AS project_id, opened.id AS id, 1 AS is_return
FROM (
  SELECT project_id, install_id, id, time
  FROM adtrail.outbox_batches
  WHERE run_id = {run_id:UInt64} AND type = 'open' AND link_campaign_id != 0
    AND time >= install_time + INTERVAL 24 HOUR
) AS opened
INNER JOIN (
  SELECT project_id, install_id, time
  FROM adtrail.app_events FINAL
  WHERE (project_id, install_id) IN (
    SELECT project_id, install_id
    FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND type = 'open' AND link_campaign_id != 0
  )
) AS other ON opened.project_id = other.project_id AND opened.install_id = other.install_id
LEFT ANY JOIN (SELECT project_id, inactivity_days FROM adtrail.projects FINAL) AS project
  ON opened.project_id = project.project_id
GROUP BY project_id, id, opened.time, project.inactivity_days
HAVING dateDiff('millisecond', maxIf(other.time, other.time < opened.time), opened.time)
  >= project.inactivity_days * 86400000;

-- name: step-no-returns
-- Step returns where no event can be a re-engagement: no row.
SELECT toUInt32(0) AS project_id, toUUID('00000000-0000-0000-0000-000000000000') AS id, 0 AS is_return
WHERE 0;

-- name: settle
-- Writes what may be told of each event of run {run_id}: one row per event, of {projects} or credited to {partners}.
-- Steps: touches, priced.
INSERT INTO adtrail.outbox_events (
  run_id, subject, project_id, install_id, partner_id, type, event, suspicious, event_time, received_at, macros
)
SELECT
  {run_id:UInt64},
  -- An install counts once, whatever its event IDs.
  if(type = 'install', reinterpretAsUUID(sipHash128(project_id, install_id)), id),
  project_id, install_id, partner_id, type, told_as, click_injection OR install_hijacking, time, received_at,
  mapFilter((name, value) -> value != '', CAST((
    ['tid', 's2', 's3', 's4', 'click_id', 'impression_id', 'c', 'campaign_name', 'app_id', 'platform', 'gaid', 'idfa',
      'ip', 'ua', 'country', 'touch_type', 'rule', 'click_time', 'install_time', 'event_time', 'event_name',
      'event_id', 'install_id', 'amount', 'currency', 'amount_usd', 'user_id', 'is_view_through', 'is_reinstall',
      'reject_reason'],
    [
      touch.tid, touch.s2, touch.s3, touch.s4,
      if(touch.tid = '' AND told_touch_type = 'click', ifNull(toString(told_touch_id), ''), touch.tid),
      if(endsWith(told_touch_type, 'impression'), ifNull(toString(told_touch_id), ''), ''),
      display_id, campaign_name, CAST(app_id, 'String'), CAST(platform, 'String'), ifNull(toString(gaid), ''),
      ifNull(toString(idfa), ''), ip, ua, CAST(country, 'String'), told_touch_type, told_rule,
      ifNull(concat(replaceOne(toString(told_touch_time), ' ', 'T'), 'Z'), ''),
      concat(replaceOne(toString(install_time), ' ', 'T'), 'Z'), concat(replaceOne(toString(time), ' ', 'T'), 'Z'),
      if(type = 'event', CAST(name, 'String'), told_as), event_id, install_id, ifNull(toString(amount), ''),
      CAST(currency, 'String'), ifNull(toString(amount_usd), ''), user_id,
      if(endsWith(told_touch_type, 'impression'), 'true', 'false'), if(reinstall, 'true', 'false'),
      arrayStringConcat(arrayFilter(reason -> reason != '', [
        if(click_injection, 'click_injection', ''), if(install_hijacking, 'install_hijacking', '')
      ]), ',')
    ]
  ), 'Map(String, String)'))
FROM priced
LEFT ANY JOIN (
  SELECT touch_id, tid, s2, s3, s4 FROM touches ORDER BY version DESC LIMIT 1 BY touch_id
) AS touch ON priced.told_touch_id = touch.touch_id
WHERE project_id IN {projects:Array(UInt32)} OR partner_id IN {partners:Array(UInt32)};

-- name: step-no-touches
-- Part of step touches where no touch is needed: no row.
SELECT
  toUUID('00000000-0000-0000-0000-000000000000') AS touch_id, '' AS tid, '' AS s2, '' AS s3, '' AS s4,
  toUInt64(0) AS version
WHERE 0;

-- name: step-credited
-- Step credited. One row per event of run {run_id}, with whom it is credited to: a re-engagement to the campaign of its
-- link, by no touch, any other event as its install is. Step: returns. Tables: adtrail.outbox_batches,
-- adtrail.campaigns.
SELECT
  event.*, campaign.display_id AS display_id, campaign.name AS campaign_name,
  if(told_touch_type != '' AND touch_partner_id != 0, touch_partner_id, campaign.partner_id) AS partner_id
FROM (
  SELECT
    batch.*, returned.is_return AS is_return,
    multiIf(
      is_return, 'reengagement', type = 'install' AND reinstall, 'reinstall', type = 'event', concat('event:', name),
      type
    ) AS told_as,
    if(is_return, link_campaign_id, campaign_id) AS credited_campaign_id,
    if(is_return, '', CAST(touch_type, 'String')) AS told_touch_type,
    if(is_return, '', CAST(rule, 'String')) AS told_rule,
    if(is_return, NULL, touch_id) AS told_touch_id,
    if(is_return, NULL, touch_time) AS told_touch_time
  FROM adtrail.outbox_batches AS batch
  LEFT ANY JOIN returns AS returned ON batch.project_id = returned.project_id AND batch.id = returned.id
  WHERE run_id = {run_id:UInt64}
) AS event
LEFT ANY JOIN (
  SELECT campaign_id, display_id, name, partner_id FROM adtrail.campaigns FINAL
) AS campaign ON event.credited_campaign_id = campaign.campaign_id;

-- name: step-priced
-- Step priced. One row per row of the step credited, with what its amount is worth in US dollars, by the rate of its
-- UTC day or the latest one before it; NULL where there is none. Table: adtrail.exchange_rates, which has no rate of
-- the dollar.
SELECT
  credited.*,
  if(currency = 'USD', 1, rate.usd) AS unit_usd,
  if(amount IS NULL OR unit_usd = 0, NULL,
    CAST(toDecimal256(amount, 9) * toDecimal256(unit_usd, 18), 'Decimal(76, 9)')) AS amount_usd
FROM credited
ASOF LEFT JOIN adtrail.exchange_rates AS rate FINAL
  ON credited.currency = rate.currency AND toDate(credited.time) >= rate.date;

-- name: settled-events
-- One row per event that run {run_id} may tell of, in the order in which they are told. Table: adtrail.outbox_events.
SELECT
  run_id, subject, project_id, partner_id, type, event, suspicious,
  toUnixTimestamp64Milli(received_at) AS received_at,
  -- Messages about one install go in order.
  toString(sipHash64(project_id, install_id)) AS install
FROM adtrail.outbox_events
WHERE run_id = {run_id:UInt64}
ORDER BY type != 'install', event_time, subject;

-- name: macros
-- One row per event of {subjects}, pairs of run and subject: what a message about it may say. Nothing of an event whose
-- person was forgotten. Table: adtrail.outbox_events.
SELECT run_id, subject, install_id, toUnixTimestamp64Milli(event_time) AS event_time, macros
FROM adtrail.outbox_events
WHERE run_id IN {runs:Array(UInt64)} AND (run_id, subject) IN {subjects:Array(Tuple(UInt64, UUID))}
ORDER BY noted_at
LIMIT 1 BY run_id, subject;

-- name: log
-- One page of attempts to deliver, the latest first: one row per attempt. From {since} on and before {until}
-- (milliseconds), and before the place ({before_time}, {before_id}, {before_attempt}). {project}, {partner}, {webhook}:
-- 0 for all; texts are empty for all, and so are {postback_ids} and {campaigns}: to which the install that is told
-- of, or its journey, is credited. Tables: adtrail.postbacks, adtrail.installs, adtrail.journeys.
WITH
  -- What a row shows is read later, for those of the page alone.
  page AS (
    SELECT project_id, attempted_at, postback_id, attempt
    FROM adtrail.postbacks
    WHERE ({project:UInt32} = 0 OR project_id = {project:UInt32})
      AND attempted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
      AND attempted_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
      AND attempted_at <= fromUnixTimestamp64Milli({before_time:Int64}, 'UTC')
      AND (attempted_at, postback_id, attempt)
        < (fromUnixTimestamp64Milli({before_time:Int64}, 'UTC'), {before_id:UUID}, {before_attempt:UInt32})
      AND ({partner:UInt32} = 0 OR partner_id = {partner:UInt32})
      AND ({webhook:UInt32} = 0 OR kind = 'webhook' AND destination_id = {webhook:UInt32})
      AND ({install_id:String} = '' OR install_id = {install_id:String})
      AND ({tid:String} = '' OR tid = {tid:String})
      AND (empty({campaigns:Array(UInt32)}) OR (project_id, install_id) IN (
        SELECT project_id, install_id FROM adtrail.installs WHERE campaign_id IN {campaigns:Array(UInt32)}
        UNION ALL
        SELECT project_id, install_id FROM adtrail.journeys WHERE campaign_id IN {campaigns:Array(UInt32)}
      ))
      AND (empty({postback_ids:Array(UUID)}) OR postback_id IN {postback_ids:Array(UUID)})
      AND ({host:String} = '' OR host = {host:String})
      AND ({kind:String} = '' OR kind = {kind:String})
      AND ({event:String} = '' OR event = {event:String})
      AND ({outcome:String} = '' OR outcome = {outcome:String})
    ORDER BY attempted_at DESC, postback_id DESC, attempt DESC
    -- What was written to the log twice is one attempt.
    LIMIT 1 BY attempted_at, postback_id, attempt
    LIMIT {limit:UInt32}
  )
SELECT
  toUnixTimestamp64Milli(attempted_at) AS attempted_ms, attempted_at, postback_id, attempt, kind, destination_id,
  project_id, partner_id, event, install_id, event_id, tid, host, method, url, body,
  macros, partner_url, partner_body, outcome, status, latency_ms, error, next_attempt_at, is_replay
FROM adtrail.postbacks
WHERE (project_id, attempted_at, postback_id, attempt) IN (
  SELECT project_id, attempted_at, postback_id, attempt FROM page
)
ORDER BY attempted_ms DESC, postback_id DESC, attempt DESC
LIMIT 1 BY attempted_ms, postback_id, attempt;

-- name: latest-event
-- The event of project {project} that was settled last, and what a message may say of it; of install {install} and of
-- events told as {event} alone, where these are not empty. Table: adtrail.outbox_events.
SELECT run_id, subject, install_id, event, toUnixTimestamp64Milli(event_time) AS event_time, macros
FROM adtrail.outbox_events
WHERE (run_id, subject) IN (
  SELECT run_id, subject
  FROM adtrail.outbox_events
  WHERE project_id = {project:UInt32}
    AND ({install:String} = '' OR install_id = {install:String})
    AND ({event:String} = '' OR event = {event:String})
  ORDER BY noted_at DESC, adtrail.outbox_events.event_time DESC
  LIMIT 1
)
LIMIT 1;

-- name: events-to-replay
-- One row per event of project {project} that was settled and received from {from} on and before {to} (milliseconds),
-- as settled-events has them: {limit} at most, after place ({after_kind}, {after_time}, {after_subject}). Of
-- {installs} and {events} alone, where these are not empty; an install may be told as rejected. With {by_log} only
-- those that the log has messages of, by {postback_ids} and by how they ended, {outcomes}: `postback_ids` are these.
-- Tables: adtrail.outbox_events, adtrail.postbacks.
WITH
  -- One row per event: what the log says of its messages. No attempt is earlier than its event, but for the clocks.
  ended AS (
    SELECT any(last_run) AS run_id, subject, groupArray(postback_id) AS postback_ids
    FROM (
      SELECT
        subject, postback_id, argMax(run_id, (attempted_at, attempt)) AS last_run,
        argMax(outcome, (attempted_at, attempt)) AS last_outcome
      FROM adtrail.postbacks
      WHERE {by_log:Bool} AND project_id = {project:UInt32} AND outcome != 'test'
        AND attempted_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') - INTERVAL 1 HOUR
        AND (empty({postback_ids:Array(UUID)}) OR postback_id IN {postback_ids:Array(UUID)})
      GROUP BY subject, postback_id
    )
    WHERE empty({outcomes:Array(String)}) OR has({outcomes:Array(String)}, last_outcome)
    GROUP BY subject
  ),

  found AS (
    SELECT run_id, subject, project_id, partner_id, type, event, suspicious, event_time, received_at, install_id
    FROM adtrail.outbox_events
    WHERE project_id = {project:UInt32}
      AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND received_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      AND noted_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') - INTERVAL 1 HOUR
      AND (empty({installs:Array(String)}) OR install_id IN {installs:Array(String)})
      AND (empty({events:Array(String)}) OR has({events:Array(String)}, event)
        OR has({events:Array(String)}, 'rejected') AND type = 'install')
      AND (NOT {by_log:Bool} OR (run_id, subject) IN (SELECT run_id, subject FROM ended))
      AND (type != 'install', event_time, subject)
        > ({after_kind:UInt8}, fromUnixTimestamp64Milli({after_time:Int64}, 'UTC'), {after_subject:UUID})
    -- Where several runs found an event, the first says what is told of it.
    ORDER BY type != 'install', event_time, subject, noted_at
    LIMIT 1 BY subject
    LIMIT {limit:UInt64}
  )

SELECT
  found.run_id AS run_id, found.subject AS subject, project_id, partner_id, type, event, suspicious,
  toUnixTimestamp64Milli(event_time) AS event_ms, toUnixTimestamp64Milli(received_at) AS received_at,
  toString(sipHash64(project_id, install_id)) AS install, ended.postback_ids AS postback_ids
FROM found
LEFT JOIN ended ON found.subject = ended.subject
ORDER BY type != 'install', event_ms, subject;

-- name: step-clicks
-- Part of step touches: one row per delivery of a click that run {run_id} needs. It lies where its bucket says, which
-- its ID tells.
SELECT click_id AS touch_id, tid, s2, s3, s4, version
FROM adtrail.clicks
WHERE (bucket, click_id) IN (
  SELECT bucket, click_id FROM adtrail.clicks
  WHERE click_id IN (
    SELECT assumeNotNull(touch_id) FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND touch_type = 'click' AND touch_id IS NOT NULL
  )
);

-- name: step-ctv-impressions
-- Part of step touches: one row per delivery of a CTV impression that run {run_id} needs. It lies where its bucket
-- says, which its ID tells.
SELECT impression_id AS touch_id, tid, s2, s3, s4, version
FROM adtrail.ctv_impressions
WHERE (bucket, impression_id) IN (
  SELECT bucket, impression_id FROM adtrail.ctv_impressions
  WHERE impression_id IN (
    SELECT assumeNotNull(touch_id) FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND touch_type = 'ctv_impression' AND touch_id IS NOT NULL
  )
);

-- name: step-impressions
-- Part of step touches: one row per delivery of an impression that run {run_id} needs. It lies where its bucket says,
-- which its ID tells.
SELECT impression_id AS touch_id, tid, s2, s3, s4, version
FROM adtrail.impressions
WHERE (bucket, impression_id) IN (
  SELECT bucket, impression_id FROM adtrail.impressions
  WHERE impression_id IN (
    SELECT assumeNotNull(touch_id) FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND touch_type = 'impression' AND touch_id IS NOT NULL
  )
);
