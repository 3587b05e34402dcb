-- name: events
-- One row per slot: events of installs and reinstalls that campaigns of partner {partner_id} are credited with. A slot
-- is a project, or when an hour or day begins, UTC, by the events' own time, as {by} says.
-- Tables: adtrail.app_events, adtrail.installs, adtrail.campaigns.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'hour', toUnixTimestamp(toStartOfHour(time)),
    toUnixTimestamp(toStartOfDay(time))) AS slot,
  countIf(type = 'signup') AS signups, countIf(type = 'payment') AS payments, countIf(type = 'event') AS events
FROM adtrail.app_events FINAL
WHERE project_id IN {projects:Array(UInt32)} AND type IN ('signup', 'payment', 'event')
  AND toDate(time) BETWEEN {from:Date} AND {to:Date}
  AND (project_id, install_id) IN (
    SELECT project_id, install_id
    FROM adtrail.installs FINAL
    WHERE project_id IN {projects:Array(UInt32)} AND is_deleted = 0
      AND campaign_id IN (SELECT campaign_id FROM adtrail.campaigns FINAL WHERE partner_id = {partner_id:UInt32})
  )
GROUP BY slot;

-- name: installs
-- One row per slot: installs, reinstalls and re-engagements that campaigns of partner {partner_id} are credited with. A
-- slot is a project, a campaign, or when an hour or day begins, UTC, by their own time, as {by} says.
-- Tables: adtrail.journeys, adtrail.campaigns.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'campaign', campaign_id,
    {by:String} = 'hour', toUnixTimestamp(toStartOfHour(start_time)), toUnixTimestamp(toStartOfDay(start_time))
  ) AS slot,
  countIf(kind = 'install') AS installs, countIf(kind = 'reinstall') AS reinstalls,
  countIf(kind = 'reengagement') AS reengagements
FROM adtrail.journeys FINAL
WHERE project_id IN {projects:Array(UInt32)}
  AND campaign_id IN (SELECT campaign_id FROM adtrail.campaigns FINAL WHERE partner_id = {partner_id:UInt32})
  AND toDate(start_time) BETWEEN {from:Date} AND {to:Date}
GROUP BY slot;

-- name: events-by-campaign
-- One row per campaign of partner {partner_id}, whose ID is the slot: events of installs and reinstalls that it is
-- credited with, by their own time. Tables: adtrail.app_events, adtrail.installs, adtrail.campaigns.
WITH credited AS (
  SELECT project_id, install_id, campaign_id
  FROM adtrail.installs FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND is_deleted = 0
    AND campaign_id IN (SELECT campaign_id FROM adtrail.campaigns FINAL WHERE partner_id = {partner_id:UInt32})
)
SELECT
  credited.campaign_id AS slot, countIf(type = 'signup') AS signups, countIf(type = 'payment') AS payments,
  countIf(type = 'event') AS events
FROM (
  SELECT project_id, install_id, type
  FROM adtrail.app_events FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND type IN ('signup', 'payment', 'event')
    AND toDate(time) BETWEEN {from:Date} AND {to:Date}
    AND (project_id, install_id) IN (SELECT project_id, install_id FROM credited)
) AS event
INNER JOIN credited ON event.project_id = credited.project_id AND event.install_id = credited.install_id
GROUP BY slot;

-- name: credited
-- One row per install or reinstall that a campaign of partner {partner_id} is credited with, the latest first: what the
-- partner sent with the touch, and nothing of the device or the person. A touch lies where its bucket says, which its
-- ID tells. Tables: adtrail.installs, adtrail.app_events, adtrail.campaigns, adtrail.clicks, adtrail.impressions,
-- adtrail.ctv_impressions.
WITH
  own_campaigns AS (
    SELECT campaign_id, display_id, name
    FROM adtrail.campaigns FINAL
    WHERE partner_id = {partner_id:UInt32}
  ),
  latest AS (
    SELECT project_id, install_id, install_time, reinstall, campaign_id, touch_type, rule, platform,
      assumeNotNull(touch_id) AS credited_id, touch_time, click_injection OR install_hijacking AS suspicious
    FROM adtrail.installs FINAL
    WHERE project_id IN {projects:Array(UInt32)} AND is_deleted = 0
      AND campaign_id IN (SELECT campaign_id FROM own_campaigns)
      AND toDate(install_time) BETWEEN {from:Date} AND {to:Date}
    ORDER BY install_time DESC, project_id, install_id
    LIMIT {limit:UInt32}
  ),
  touches AS (
    SELECT click_id AS touch_id, partner_id, tid, s2, s3, s4, version
    FROM adtrail.clicks
    WHERE (bucket, click_id) IN (
      SELECT bucket, click_id FROM adtrail.clicks
      WHERE click_id IN (SELECT credited_id FROM latest WHERE touch_type = 'click')
    )
    UNION ALL
    SELECT impression_id AS touch_id, partner_id, tid, s2, s3, s4, version
    FROM adtrail.impressions
    WHERE (bucket, impression_id) IN (
      SELECT bucket, impression_id FROM adtrail.impressions
      WHERE impression_id IN (SELECT credited_id FROM latest WHERE touch_type = 'impression')
    )
    UNION ALL
    SELECT impression_id AS touch_id, partner_id, tid, s2, s3, s4, version
    FROM adtrail.ctv_impressions
    WHERE (bucket, impression_id) IN (
      SELECT bucket, impression_id FROM adtrail.ctv_impressions
      WHERE impression_id IN (SELECT credited_id FROM latest WHERE touch_type = 'ctv_impression')
    )
  )
SELECT
  latest.install_time AS install_time, latest.reinstall AS reinstall, latest.project_id AS project_id,
  own_campaigns.display_id AS display_id, own_campaigns.name AS campaign,
  CAST(latest.touch_type, 'String') AS touch_type, CAST(latest.rule, 'String') AS rule,
  latest.touch_time AS touch_time, touch.tid AS tid, touch.s2 AS s2, touch.s3 AS s3, touch.s4 AS s4,
  CAST(install_event.country, 'String') AS country, CAST(latest.platform, 'String') AS platform,
  latest.suspicious AS suspicious
FROM latest
INNER JOIN own_campaigns ON latest.campaign_id = own_campaigns.campaign_id
LEFT ANY JOIN (
  SELECT project_id, install_id, country
  FROM adtrail.app_events FINAL
  WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM latest) AND type = 'install'
) AS install_event
  ON latest.project_id = install_event.project_id AND latest.install_id = install_event.install_id
LEFT ANY JOIN (
  -- The first delivery of a touch counts.
  SELECT touch_id, tid, s2, s3, s4
  FROM touches
  WHERE partner_id = {partner_id:UInt32}
  ORDER BY version DESC
  LIMIT 1 BY touch_id
) AS touch ON latest.credited_id = touch.touch_id
ORDER BY install_time DESC, latest.project_id, latest.install_id;

-- name: touches
-- One row per slot and kind of touch: how many touches of partner {partner_id} were received first in it. A slot is a
-- project, a campaign, or when an hour or day begins, UTC, as {by} says. Imported clicks are left out.
-- Tables: adtrail.clicks, adtrail.impressions, adtrail.ctv_impressions.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'campaign', campaign_id,
    {by:String} = 'hour', toUnixTimestamp(hour), toUnixTimestamp(toStartOfDay(hour))) AS slot,
  what, sum(found) AS touches
FROM (
  SELECT project_id, campaign_id, toStartOfHour(received_at) AS hour,
    if(kind = 'link', 'link_click', 'click') AS what, count() AS found
  FROM adtrail.clicks FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND bucket BETWEEN {from:Date} AND {to:Date}
    AND partner_id = {partner_id:UInt32} AND kind IN ('s2s', 'link')
  GROUP BY project_id, campaign_id, hour, what
  UNION ALL
  SELECT project_id, campaign_id, toStartOfHour(received_at) AS hour, 'impression' AS what, count() AS found
  FROM adtrail.impressions FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND bucket BETWEEN {from:Date} AND {to:Date}
    AND partner_id = {partner_id:UInt32}
  GROUP BY project_id, campaign_id, hour, what
  UNION ALL
  SELECT project_id, campaign_id, toStartOfHour(received_at) AS hour, 'ctv_impression' AS what, count() AS found
  FROM adtrail.ctv_impressions FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND bucket BETWEEN {from:Date} AND {to:Date}
    AND partner_id = {partner_id:UInt32}
  GROUP BY project_id, campaign_id, hour, what
)
GROUP BY slot, what;

-- name: requests
-- One row per slot, endpoint and outcome: how many S2S requests of partner {partner_id} there were. A slot is a
-- project, a campaign, or when an hour or day begins, UTC, as {by} says. Table: adtrail.s2s_requests.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'campaign', campaign_id,
    {by:String} = 'hour', toUnixTimestamp(hour), toUnixTimestamp(toStartOfDay(hour))) AS slot,
  kind, outcome, sum(requests) AS requests
FROM adtrail.s2s_requests FINAL
WHERE partner_id = {partner_id:UInt32} AND toDate(hour) BETWEEN {from:Date} AND {to:Date}
  AND ({any_project:Bool} OR project_id IN {projects:Array(UInt32)})
GROUP BY slot, kind, outcome;
