-- Decides the installs of run {run_id}: one row an install, by the rules of docs/contract.md, Attribution in their
-- order. An install whose impression an earlier one of the run could get too is left for the next run, which
-- sees what became of it: so what an install gets does not depend on the runs. Times are compared in milliseconds;
-- windows are those in force now, in hours or days as the projects have them.
INSERT INTO adtrail.installs (
  project_id, install_id, event_id, install_time, received_at, decided_at, app_id, platform, reinstall, gaid, idfa, ip,
    ua,
  rule, campaign_id, partner_id, touch_type, touch_id, touch_time, window_seconds, touch_to_install_ms,
  ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name, publisher_platform, platform_position,
  click_injection, install_hijacking, candidates, version
)
WITH
  batch AS (SELECT * FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64}),

  -- One row per install and an identifier that a touch can share with it.
  keys AS (
    SELECT project_id, install_id, match, key
    FROM batch
    ARRAY JOIN
      ['gaid', 'idfa', 'ip'] AS match,
      [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), ip] AS key
    WHERE key != ''
  ),

  -- One row per install and a touch that shares an identifier with it, or that its referrer names; the first rule that
  -- could match it, as a number.
  matched AS (
    SELECT
      keys.project_id AS project_id, keys.install_id AS install_id, touch_id, touch_type, touch_time, received_at,
        campaign_id, partner_id, kind, app_id, os, has_gaid, has_idfa, vt_lookback,
      ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name,
      multiIf(touch_type = 'click', if(keys.match = 'ip', 4, 3), touch_type = 'impression', 5, 6) AS rule
    FROM keys
    INNER JOIN (
      SELECT *
      FROM adtrail.attribution_matches
      WHERE run_id = {run_id:UInt64}
        -- A repeat may name another device or address: what counts is the delivery first received.
        AND (touch_id, version) IN (
          SELECT touch_id, max(version)
          FROM adtrail.touch_versions
          WHERE touch_id IN (SELECT touch_id FROM adtrail.attribution_matches WHERE run_id = {run_id:UInt64})
          GROUP BY touch_id
        )
    ) AS touch ON keys.project_id = touch.project_id AND keys.match = touch.match AND keys.key = touch.key
    UNION ALL
    SELECT
      batch.project_id, batch.install_id, click_id, 'click', click_time, click.received_at, campaign_id, partner_id,
        kind, click.app_id, click.os, isNotNull(click.gaid), isNotNull(click.idfa), NULL,
      ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name,
      2
    FROM batch
    INNER JOIN (
      SELECT project_id, click_id, click_time, received_at, campaign_id, partner_id, kind, app_id, os, gaid, idfa,
        ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name
      FROM adtrail.clicks FINAL
      WHERE bucket IN (SELECT bucket FROM adtrail.clicks
        WHERE click_id IN (SELECT assumeNotNull(referrer_click_id) FROM batch WHERE isNotNull(referrer_click_id)))
        AND click_id IN (SELECT assumeNotNull(referrer_click_id) FROM batch WHERE isNotNull(referrer_click_id))
        AND project_id IN (SELECT project_id FROM batch)
    ) AS click ON click.project_id = batch.project_id AND click.click_id = batch.referrer_click_id
  ),

  -- With the window and the switches that apply to each.
  weighed AS (
    SELECT
      matched.project_id AS project_id, matched.install_id AS install_id, touch_id, touch_type, touch_time,
        matched.received_at AS received_at, matched.campaign_id AS campaign_id,
      matched.partner_id AS partner_id, kind, matched.app_id AS app_id, matched.os AS os, has_gaid, has_idfa,
        ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, rule,
      batch.install_time AS install_time, batch.received_at AS install_received_at, batch.app_id AS install_app_id,
        batch.os AS install_os, batch.gaid AS install_gaid, batch.idfa AS install_idfa,
        batch.attribution != '' AS given,
      -- A partner's touches have the default window, whatever network their campaign has.
      if(mapContains(project.click_window_days, campaign.network) AND matched.partner_id = 0,
        project.click_window_days[campaign.network], project.click_window_days['default']) AS click_window_days,
      least(24, partner.view_window_hours, ifNull(matched.vt_lookback, 24)) AS partner_window_hours,
      toUInt32(multiIf(
        rule IN (2, 3), click_window_days * 86400,
        rule = 4, project.ip_click_window_hours * 3600,
        rule = 5, least(project.view_window_hours, partner_window_hours) * 3600,
        least(project.ctv_window_hours, partner_window_hours) * 3600
      )) AS window_seconds,
      multiIf(
        rule = 4 AND project.ip_click_window_hours = 0, 1,
        kind = 's2s', NOT partner.s2s_clicks,
        rule = 5, NOT (partner.s2s_traffic AND partner.view_through),
        rule = 6, NOT (partner.s2s_traffic AND partner.view_through AND has(partner.ctv_apps, batch.app_id)),
        0
      ) AS switched_off
    FROM matched
    INNER JOIN batch ON matched.project_id = batch.project_id AND matched.install_id = batch.install_id
    LEFT ANY JOIN (SELECT * FROM adtrail.projects FINAL) AS project ON matched.project_id = project.project_id
    LEFT ANY JOIN (SELECT campaign_id, network FROM adtrail.campaigns FINAL) AS campaign
      ON matched.campaign_id = campaign.campaign_id
    LEFT ANY JOIN (SELECT * FROM adtrail.partner_switches FINAL) AS partner ON matched.project_id = partner.project_id
      AND matched.partner_id = partner.partner_id
  ),

  -- With what speaks against each; empty for an eligible one.
  judged AS (
    SELECT
      *,
      ['', 'referrer', 'device_click', 'ip_click', 'device_impression', 'ctv_impression'][rule] AS rule_name,
      toUnixTimestamp64Milli(install_time) - toUnixTimestamp64Milli(touch_time) AS age_ms,
      multiIf(
        switched_off, 'switched_off',
        age_ms < 0, 'later_than_install',
        age_ms > toInt64(window_seconds) * 1000, 'outside_window',
        received_at >= install_received_at, 'received_too_late',
        app_id != '' AND app_id != install_app_id, 'other_app',
        rule = 4 AND ((has_gaid AND isNotNull(install_gaid)) OR (has_idfa AND isNotNull(install_idfa))), 'carries_id',
        rule = 4 AND os != '' AND install_os != '' AND os != install_os, 'other_os',
        rule = 5 AND touch_id IN (SELECT assumeNotNull(touch_id) FROM adtrail.installs
          WHERE rule = 'device_impression'
          AND touch_id IN (SELECT touch_id FROM adtrail.attribution_matches WHERE run_id = {run_id:UInt64}
          AND touch_type = 'impression')), 'already_used',
        ''
      ) AS objection,
      -- The greater wins: rule first, then the later touch, the later received, the greater ID.
      (-rule, touch_time, received_at, toString(touch_id)) AS precedence
    FROM weighed
    -- A touch that more than one rule could match is one candidate, under the first of them that it is eligible by.
    ORDER BY objection != '', rule
    LIMIT 1 BY project_id, install_id, touch_id
  ),

  -- With the install that comes first among those that an impression could go to. An impression is credited once.
  claimed AS (
    SELECT *, minIf((install_received_at, install_id), claims) OVER (PARTITION BY project_id, touch_id) AS claimant
    FROM (
      SELECT *, objection = '' AND rule = 5 AND NOT given
        AND minIf(rule, objection = '') OVER (PARTITION BY project_id, install_id) = 5 AS claims
      FROM judged
    )
  ),

  -- One row per install that has candidates.
  contests AS (
    SELECT
      project_id, install_id,
      countIf(objection = '') > 0 AS has_winner,
      maxIf(precedence, objection = '') AS best,
      argMaxIf(tuple(rule_name, campaign_id, partner_id, touch_type, touch_id, touch_time, window_seconds, age_ms),
        precedence, objection = '') AS winner,
      argMaxIf(claimant, precedence, objection = '') AS winner_claimant,
      argMaxIf(tuple(ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name), precedence,
        objection = '') AS ad,
      arraySlice(arrayReverseSort(one -> one.1,
        groupArray(10000)((precedence, rule_name, touch_type, touch_id, touch_time, received_at, campaign_id,
        window_seconds, objection))), 1, 100) AS considered
    FROM claimed
    GROUP BY project_id, install_id
  ),

  -- One row per install whose device had an event in the same app before, all known when the install was received:
  -- another install is on the device when any of its events names one of the identifiers.
  returned AS (
    SELECT DISTINCT project_id, install_id
    FROM (
      SELECT known.project_id AS project_id, known.install_id AS install_id, known.other_install_id AS other_install_id
      FROM (
        SELECT keys.project_id AS project_id, keys.install_id AS install_id, identity.install_id AS other_install_id
        FROM keys
        INNER JOIN (
          SELECT project_id, kind, value, install_id FROM adtrail.identities
            WHERE (project_id, kind, value) IN (SELECT project_id, match, key FROM keys)
        ) AS identity ON keys.project_id = identity.project_id AND keys.match = identity.kind
          AND keys.key = identity.value
        WHERE other_install_id != keys.install_id
      ) AS known
      INNER JOIN batch ON known.project_id = batch.project_id AND known.install_id = batch.install_id
      LEFT ANY JOIN (SELECT project_id, reinstall_window_days FROM adtrail.projects FINAL) AS project
        ON known.project_id = project.project_id
      INNER JOIN (
        SELECT project_id, install_id, app_id, time, received_at, gaid, idfa
        FROM adtrail.app_events FINAL
        PREWHERE (project_id, install_id) IN (
          SELECT project_id, install_id FROM adtrail.identities
            WHERE (project_id, kind, value) IN (SELECT project_id, match, key FROM keys)
        )
      ) AS event ON event.project_id = known.project_id AND event.install_id = known.other_install_id
      WHERE event.received_at <= batch.received_at
      GROUP BY ALL
      HAVING countIf(ifNull(event.gaid = batch.gaid, 0) OR ifNull(event.idfa = batch.idfa, 0)) > 0
        AND countIf(event.app_id = batch.app_id AND event.time < batch.install_time
          AND event.time >= batch.install_time - toIntervalDay(project.reinstall_window_days)) > 0
    )
  ),

  -- Campaigns of ad networks, to find those that an attribution names.
  named AS (
    SELECT project_id, network, network_campaign_id, min(campaign_id) AS campaign_id
    FROM adtrail.campaigns FINAL
    WHERE network != '' AND network_campaign_id != '' AND deleted = 0
    GROUP BY ALL
  )

SELECT
  batch.project_id, batch.install_id, event_id, batch.install_time, batch.received_at, now64(3, 'UTC'), batch.app_id,
    platform,
  isNotNull(returned.project_id), batch.gaid, batch.idfa, batch.ip, batch.ua,
  multiIf(given, 'attribution', has_winner, winner.1, 'organic') AS decided_rule,
  multiIf(given, if(JSONExtractUInt(attribution, 'campaign_id') != 0, JSONExtractUInt(attribution, 'campaign_id'),
    named.campaign_id), has_winner, winner.2, 0),
  if(given, 0, winner.3),
  multiIf(given, if(JSONExtractString(attribution, 'touch_type') = 'impression', 'impression', 'click'), has_winner,
    winner.4, '') AS decided_type,
  if(given OR NOT has_winner, NULL, winner.5) AS decided_id,
  multiIf(given, nullIf(fromUnixTimestamp64Milli(JSONExtractInt(attribution, 'touched_at'), 'UTC'),
    fromUnixTimestamp64Milli(toInt64(0), 'UTC')), has_winner, winner.6, NULL) AS decided_time,
  if(given OR NOT has_winner, NULL, winner.7),
  toUnixTimestamp64Milli(batch.install_time) - toUnixTimestamp64Milli(decided_time) AS elapsed_ms,
  if(given, JSONExtractString(attribution, 'ad_set_id'), ad.1),
    if(given, JSONExtractString(attribution, 'ad_set_name'), ad.2),
  if(given, JSONExtractString(attribution, 'ad_id'), ad.3), if(given, JSONExtractString(attribution, 'ad_name'), ad.4),
  JSONExtractString(attribution, 'ad_type'),
  if(given, JSONExtractString(attribution, 'keyword_id'), ad.5),
    if(given, JSONExtractString(attribution, 'keyword_name'), ad.6),
  JSONExtractString(attribution, 'publisher_platform'), JSONExtractString(attribution, 'platform_position'),
  platform = 'ANDROID' AND (
    ifNull(toUnixTimestamp64Milli(batch.install_time) - toUnixTimestamp64Milli(referrer_click_time) < 3000, 0)
    OR (decided_type = 'click' AND ifNull(elapsed_ms < 10000, 0))
  ),
  ifNull(referrer_click_time > install_begin_time, 0),
  arrayMap(one -> (one.2, one.3, one.4, one.5, one.6, one.7, one.8, multiIf(
    one.9 != '', one.9,
    given, 'lower_rule',
    one.1 = best, 'credited',
    one.1.1 < best.1, 'lower_rule',
    'older_than_winner'
  )), considered),
  9007199254740991 - toUnixTimestamp64Micro(now64(6, 'UTC'))
FROM (SELECT *, attribution != '' AS given FROM batch) AS batch
LEFT ANY JOIN contests ON batch.project_id = contests.project_id AND batch.install_id = contests.install_id
LEFT ANY JOIN (SELECT toNullable(project_id) AS project_id, toNullable(install_id) AS install_id
  FROM returned) AS returned ON batch.project_id = returned.project_id AND batch.install_id = returned.install_id
LEFT ANY JOIN named ON batch.project_id = named.project_id
  AND JSONExtractString(attribution, 'network') = named.network
  AND JSONExtractString(attribution, 'network_campaign_id') = named.network_campaign_id
-- Whose impression could go to an earlier install waits for what becomes of that one.
WHERE decided_rule != 'device_impression' OR winner_claimant = (batch.received_at, batch.install_id)
