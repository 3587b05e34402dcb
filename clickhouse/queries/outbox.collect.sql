-- Collects the events that run {run_id} settles, with the decisions about their installs: one row per event. New are
-- the events stored from {events_from} on and before {events_to}, and all events of the installs whose decision was
-- stored from {installs_from} on and before {installs_to} (milliseconds); chunk {chunk} of {chunks}, by hash. An event
-- of an install that is not decided waits for the decision. Only events received from {oldest} on, of {concerned}.
INSERT INTO adtrail.outbox_batches (
  run_id, project_id, install_id, id, event_id, type, name, time, received_at, app_id, platform, ip, ua, country,
  user_id, amount, currency, gaid, idfa, link_campaign_id, install_time, reinstall, click_injection, install_hijacking,
  rule, campaign_id, touch_partner_id, touch_type, touch_id, touch_time
)
WITH
  new_events AS (
    SELECT project_id, install_id, event_key
    FROM adtrail.app_events
    WHERE stored_at >= fromUnixTimestamp64Milli({events_from:Int64}, 'UTC')
      AND stored_at < fromUnixTimestamp64Milli({events_to:Int64}, 'UTC')
      -- Copies of what was forgotten count as stored long ago.
      AND stored_at > toDateTime64(0, 3, 'UTC')
      AND received_at >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
      AND project_id IN {concerned:Array(UInt32)} AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
  ),

  new_decisions AS (
    SELECT project_id, install_id
    FROM adtrail.installs
    WHERE stored_at >= fromUnixTimestamp64Milli({installs_from:Int64}, 'UTC')
      AND stored_at < fromUnixTimestamp64Milli({installs_to:Int64}, 'UTC')
      AND stored_at > toDateTime64(0, 3, 'UTC')
      AND decided_at >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
      AND project_id IN {concerned:Array(UInt32)} AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
  ),

  -- One row per install of these, as it was decided. GLOBAL is written out: in what a statement reads twice, ClickHouse
  -- does not put it by itself.
  decisions AS (
    SELECT *
    FROM adtrail.installs FINAL
    WHERE is_deleted = 0 AND (project_id, install_id) GLOBAL IN (
      SELECT project_id, install_id FROM new_events
      UNION DISTINCT
      SELECT project_id, install_id FROM new_decisions
    )
  )

SELECT
  {run_id:UInt64}, event.project_id, event.install_id, event.id, event.event_id, event.type, event.name, event.time,
  event.received_at, event.app_id, event.platform, event.ip, event.ua, event.country, event.user_id, event.amount,
  event.currency, ifNull(event.gaid, decision.gaid), ifNull(event.idfa, decision.idfa), event.link_campaign_id,
  decision.install_time, decision.reinstall, decision.click_injection, decision.install_hijacking, decision.rule,
  decision.campaign_id, decision.partner_id, decision.touch_type, decision.touch_id, decision.touch_time
FROM (
  SELECT *
  FROM adtrail.app_events FINAL
  WHERE received_at >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
    AND (
      (project_id, install_id, event_key) GLOBAL IN (
        SELECT project_id, install_id, event_key FROM new_events
      )
      OR (project_id, install_id) GLOBAL IN (SELECT project_id, install_id FROM new_decisions)
    )
) AS event
INNER JOIN decisions AS decision ON event.project_id = decision.project_id AND event.install_id = decision.install_id
