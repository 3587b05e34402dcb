-- Writes what may be told of each event that is new, and credited: one row per event. New are the events stored from
-- {events_from} on and before {events_to}, and all events of the installs whose decision was stored from
-- {installs_from} on and before {installs_to} (milliseconds); chunk {chunk} of {chunks}, by hash. An event of an install
-- that is not decided waits for the decision. Only events received from {oldest} on, of {projects} or credited to
-- {partners}.
INSERT INTO adtrail.outbox_events (
  run_id, subject, project_id, install_id, partner_id, type, event, suspicious, event_time, received_at, macros
)
WITH
  (at -> concat(replaceOne(toString(at), ' ', 'T'), 'Z')) AS rfc3339,

  new_events AS (
    SELECT project_id, install_id, event_key
    FROM adtrail.app_events
    WHERE stored_at >= fromUnixTimestamp64Milli({events_from:Int64}, 'UTC')
      AND stored_at < fromUnixTimestamp64Milli({events_to:Int64}, 'UTC')
      -- Copies of what was forgotten count as stored long ago.
      AND stored_at > toDateTime64(0, 3, 'UTC')
      AND received_at >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
      AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
  ),

  new_decisions AS (
    SELECT project_id, install_id
    FROM adtrail.installs
    WHERE stored_at >= fromUnixTimestamp64Milli({installs_from:Int64}, 'UTC')
      AND stored_at < fromUnixTimestamp64Milli({installs_to:Int64}, 'UTC')
      AND stored_at > toDateTime64(0, 3, 'UTC')
      AND decided_at >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
      AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
  ),

  -- The campaigns with their partners.
  campaigns AS (
    SELECT campaign_id, display_id, name, partner_id
    FROM adtrail.campaigns FINAL
  ),

  -- One row per install of these, as it was decided.
  decisions AS (
    SELECT
      install.project_id AS project_id, install.install_id AS install_id, install.rule AS rule,
      install.touch_type AS touch_type, install.touch_id AS touch_id, install.touch_time AS touch_time,
      install.install_time AS install_time, install.reinstall AS reinstall, install.campaign_id AS campaign_id,
      if(install.partner_id != 0, install.partner_id, campaign.partner_id) AS credited_partner_id,
      campaign.display_id AS display_id, campaign.name AS campaign_name, install.click_injection AS click_injection,
      install.install_hijacking AS install_hijacking, install.gaid AS install_gaid, install.idfa AS install_idfa
    FROM (
      SELECT *
      FROM adtrail.installs FINAL
      WHERE is_deleted = 0 AND (project_id, install_id) IN (
        SELECT project_id, install_id FROM new_events
        UNION DISTINCT
        SELECT project_id, install_id FROM new_decisions
      )
    ) AS install
    LEFT ANY JOIN campaigns AS campaign ON install.campaign_id = campaign.campaign_id
  ),

  -- One row per event of these installs that is new.
  events AS (
    SELECT *
    FROM adtrail.app_events FINAL
    WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM decisions)
      AND received_at >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
      AND (
        (project_id, install_id, event_key) IN (SELECT project_id, install_id, event_key FROM new_events)
        OR (project_id, install_id) IN (SELECT project_id, install_id FROM new_decisions)
      )
  ),

  -- One row per open by a link of a campaign: when its install had an event last before it.
  last_activity AS (
    SELECT returned.project_id AS project_id, returned.id AS id, max(other.time) AS last_time
    FROM (SELECT project_id, install_id, id, time FROM events WHERE type = 'open' AND link_campaign_id != 0) AS returned
    INNER JOIN (
      SELECT project_id, install_id, time
      FROM adtrail.app_events FINAL
      WHERE (project_id, install_id) IN (
        SELECT project_id, install_id FROM events WHERE type = 'open' AND link_campaign_id != 0
      )
    ) AS other ON returned.project_id = other.project_id AND returned.install_id = other.install_id
    WHERE other.time < returned.time
    GROUP BY project_id, id
  ),

  -- One row per credited touch. A touch lies where its bucket says, which its ID tells.
  touches AS (
    SELECT touch_id, tid, s2, s3, s4
    FROM (
      SELECT click_id AS touch_id, tid, s2, s3, s4, version
      FROM adtrail.clicks
      WHERE (bucket, click_id) IN (
        SELECT bucket, click_id FROM adtrail.clicks
        WHERE click_id IN (SELECT assumeNotNull(touch_id) FROM decisions WHERE touch_type = 'click')
      )
      UNION ALL
      SELECT impression_id AS touch_id, tid, s2, s3, s4, version
      FROM adtrail.impressions
      WHERE (bucket, impression_id) IN (
        SELECT bucket, impression_id FROM adtrail.impressions
        WHERE impression_id IN (SELECT assumeNotNull(touch_id) FROM decisions WHERE touch_type = 'impression')
      )
      UNION ALL
      SELECT impression_id AS touch_id, tid, s2, s3, s4, version
      FROM adtrail.ctv_impressions
      WHERE (bucket, impression_id) IN (
        SELECT bucket, impression_id FROM adtrail.ctv_impressions
        WHERE impression_id IN (SELECT assumeNotNull(touch_id) FROM decisions WHERE touch_type = 'ctv_impression')
      )
    )
    ORDER BY version DESC
    LIMIT 1 BY touch_id
  ),

  -- One row per event with its decision. A return by the link of a campaign is credited to that campaign, by no touch.
  credited AS (
    SELECT
      record.project_id AS project_id, record.install_id AS install_id, record.id AS id, record.event_id AS event_id,
      record.type AS type, record.name AS name, record.time AS time, record.received_at AS received_at,
      record.app_id AS app_id, record.platform AS platform, record.ip AS ip, record.ua AS ua, record.country AS country,
      record.user_id AS user_id, record.amount AS amount, record.currency AS currency,
      ifNull(record.gaid, decision.install_gaid) AS gaid, ifNull(record.idfa, decision.install_idfa) AS idfa,
      decision.install_time AS install_time, decision.reinstall AS reinstall,
      decision.click_injection AS click_injection, decision.install_hijacking AS install_hijacking,
      type = 'open' AND record.link_campaign_id != 0 AND time >= install_time + INTERVAL 24 HOUR
        AND dateDiff('millisecond', activity.last_time, time) >= project.inactivity_days * 86400000 AS is_return,
      multiIf(
        is_return, 'reengagement', type = 'install' AND reinstall, 'reinstall', type = 'event', concat('event:', name),
        type
      ) AS event,
      if(is_return, link_campaign.partner_id, decision.credited_partner_id) AS partner_id,
      if(is_return, link_campaign.display_id, decision.display_id) AS display_id,
      if(is_return, link_campaign.name, decision.campaign_name) AS campaign_name,
      if(is_return, NULL, decision.touch_id) AS touch_id,
      if(is_return, NULL, decision.touch_time) AS touch_time,
      if(is_return, '', CAST(decision.touch_type, 'String')) AS touch_type,
      if(is_return, '', CAST(decision.rule, 'String')) AS rule
    FROM events AS record
    INNER JOIN decisions AS decision
      ON record.project_id = decision.project_id AND record.install_id = decision.install_id
    LEFT ANY JOIN campaigns AS link_campaign ON record.link_campaign_id = link_campaign.campaign_id
    LEFT ANY JOIN last_activity AS activity ON record.project_id = activity.project_id AND record.id = activity.id
    LEFT ANY JOIN (SELECT project_id, inactivity_days FROM adtrail.projects FINAL) AS project
      ON record.project_id = project.project_id
  ),

  -- With what an amount is worth in US dollars by the rate of its UTC day, or the latest one before it.
  priced AS (
    SELECT
      credited.*, toDate(time) AS rate_day,
      if(currency = 'USD', 1, rate.usd) AS unit_usd,
      if(amount IS NULL OR unit_usd = 0, NULL,
        CAST(toDecimal256(amount, 9) * toDecimal256(unit_usd, 18), 'Decimal(76, 9)')) AS amount_usd
    FROM credited
    ASOF LEFT JOIN adtrail.exchange_rates AS rate FINAL
      ON credited.currency = rate.currency AND toDate(credited.time) >= rate.date
  )

SELECT
  {run_id:UInt64},
  -- An install counts once, whatever its event IDs.
  if(type = 'install', reinterpretAsUUID(sipHash128(project_id, install_id)), id),
  project_id, install_id, partner_id, type, event, click_injection OR install_hijacking, time, received_at,
  mapFilter((name, value) -> value != '', CAST((
    ['tid', 's2', 's3', 's4', 'click_id', 'impression_id', 'c', 'campaign_name', 'app_id', 'platform', 'gaid', 'idfa',
      'ip', 'ua', 'country', 'touch_type', 'rule', 'click_time', 'install_time', 'event_time', 'event_name',
      'event_id', 'install_id', 'amount', 'currency', 'amount_usd', 'user_id', 'is_view_through', 'is_reinstall',
      'reject_reason'],
    [
      touch.tid, touch.s2, touch.s3, touch.s4,
      if(touch.tid = '' AND touch_type = 'click', ifNull(toString(priced.touch_id), ''), touch.tid),
      if(endsWith(touch_type, 'impression'), ifNull(toString(priced.touch_id), ''), ''),
      display_id, campaign_name, CAST(app_id, 'String'), CAST(platform, 'String'), ifNull(toString(gaid), ''),
      ifNull(toString(idfa), ''), ip, ua, CAST(country, 'String'), touch_type, rule,
      ifNull(rfc3339(touch_time), ''), rfc3339(install_time), rfc3339(time),
      if(type = 'event', CAST(name, 'String'), event), event_id, install_id, ifNull(toString(amount), ''),
      CAST(currency, 'String'), ifNull(toString(amount_usd), ''), user_id,
      if(endsWith(touch_type, 'impression'), 'true', 'false'), if(reinstall, 'true', 'false'),
      arrayStringConcat(arrayFilter(reason -> reason != '', [
        if(click_injection, 'click_injection', ''), if(install_hijacking, 'install_hijacking', '')
      ]), ',')
    ]
  ), 'Map(String, String)'))
FROM priced
LEFT ANY JOIN touches AS touch ON priced.touch_id = touch.touch_id
WHERE project_id IN {projects:Array(UInt32)} OR partner_id IN {partners:Array(UInt32)}
