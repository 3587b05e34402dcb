-- Finds the candidates of run {run_id}: one row per install and touch that shares an identifier with it. Each has the
-- rule of docs/contract/attribution.md, that matches them, the lookback window, and the reason why the touch is not
-- eligible. Windows and switches are those in force now.
--
-- Touches are told apart by what makes them eligible. Of those that are alike an install is held against the latest 101
-- only: where none of them is eligible no earlier one is, and more are not shown. So an address that 10,000 clicks came
-- from costs an install a hundred comparisons.
INSERT INTO adtrail.attribution_candidates (
  run_id, project_id, install_id, install_received_at, touch_type, touch_id, touch_time, received_at, campaign_id,
  partner_id, rule, rule_order, window_seconds, reason
)
WITH
  ['referrer', 'device_click', 'ip_click', 'device_impression', 'ctv_impression'] AS rules,

  -- One row per install and identifier that a touch can share with it.
  identifiers AS (
    SELECT
      project_id, install_id, install_time, received_at AS install_received_at, app_id AS install_app_id,
      os AS install_os, gaid AS install_gaid, idfa AS install_idfa, match, key
    FROM adtrail.attribution_batches
    ARRAY JOIN
      ['gaid', 'idfa', 'ip', 'referrer'] AS match,
      [
        ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip),
        ifNull(toString(referrer_click_id), '')
      ] AS key
    WHERE run_id = {run_id:UInt64} AND key != ''
  ),

  -- Each impression is credited once.
  used_impressions AS (
    SELECT assumeNotNull(touch_id) AS touch_id
    FROM adtrail.installs
    WHERE rule = 'device_impression' AND touch_id IN (
      SELECT touch_id FROM adtrail.attribution_matches WHERE run_id = {run_id:UInt64} AND touch_type = 'impression'
    )
    -- The projection by_touch answers.
    SETTINGS ignore_data_skipping_indices = 'by_touch_id'
  ),

  -- When the first install of the run was received that has an identifier.
  first_received AS (
    SELECT project_id, match, key, min(install_received_at) AS first_received_at
    FROM identifiers
    GROUP BY project_id, match, key
  ),

  -- One row per touch and identifier; of one identifier and kind of touch the latest has place 1.
  touches AS (
    SELECT
      project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id, os,
      has_gaid, has_idfa, vt_lookback,
      row_number() OVER (
        PARTITION BY project_id, match, key, touch_type
        ORDER BY touch_time DESC, received_at DESC, toString(touch_id) DESC
      ) AS place,
      countIf(match = 'referrer') OVER (PARTITION BY project_id, touch_id) > 0 AS is_referred
    FROM adtrail.attribution_matches
    WHERE run_id = {run_id:UInt64}
  ),

  -- The same with the rule that may match the touch, and what decides whether it is eligible.
  ruled AS (
    SELECT
      touch.project_id AS project_id, touch.match AS match, touch.key AS key, touch_type, touch_id, touch_time,
      received_at, touch.campaign_id AS campaign_id, touch.partner_id AS partner_id, app_id, os, has_gaid, has_idfa,
      place,

      multiIf(
        touch.match = 'referrer', 'referrer',
        touch_type = 'click' AND touch.match = 'ip', 'ip_click',
        touch_type = 'click', 'device_click',
        touch_type = 'impression', 'device_impression',
        'ctv_impression'
      ) AS rule,

      -- A touch of a partner has the default window, whatever network its campaign has.
      if(touch.partner_id = 0 AND mapContains(click_window_days, network), network, 'default') AS click_window,
      least(24, partner.view_window_hours, ifNull(vt_lookback, 24)) AS partner_window_hours,
      toUInt32(multiIf(
        -- A hundred years, so that the seconds fit into 32 bits.
        rule IN ('referrer', 'device_click'), least(click_window_days[click_window], 36500) * 86400,
        rule = 'ip_click', ip_click_window_hours * 3600,
        rule = 'device_impression', least(project.view_window_hours, partner_window_hours) * 3600,
        least(ctv_window_hours, partner_window_hours) * 3600
      )) AS window_seconds,

      multiIf(
        rule = 'ip_click' AND ip_click_window_hours = 0, 1,
        kind = 's2s', NOT s2s_clicks,
        rule IN ('device_impression', 'ctv_impression'), NOT (s2s_traffic AND view_through),
        0
      ) AS is_off,
      if(rule = 'ctv_impression', ctv_apps, []::Array(String)) AS apps_on,

      rule = 'device_impression' AND touch_id IN (SELECT touch_id FROM used_impressions) AS is_used,
      -- Whether one of these is eligible does not follow from the others. A touch that shares an address and a device
      -- with an install is eligible by the device or not at all.
      is_referred OR received_at >= first_received_at AS stands_alone
    FROM touches AS touch
    LEFT ANY JOIN first_received
      ON touch.project_id = first_received.project_id AND touch.match = first_received.match
      AND touch.key = first_received.key
    LEFT ANY JOIN (
      SELECT project_id, click_window_days, ip_click_window_hours, view_window_hours, ctv_window_hours
      FROM adtrail.projects FINAL
    ) AS project ON touch.project_id = project.project_id
    LEFT ANY JOIN (SELECT campaign_id, network FROM adtrail.campaigns FINAL) AS campaign
      ON touch.campaign_id = campaign.campaign_id
    LEFT ANY JOIN (
      SELECT project_id, partner_id, s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours
      FROM adtrail.partner_switches FINAL
    ) AS partner ON touch.project_id = partner.project_id AND touch.partner_id = partner.partner_id
  ),

  -- Touches that are eligible alike, the latest first. An install before which enough later ones happened does not want
  -- one: 101, since the referrer may name one of them, or all that count where it stands alone.
  alike AS (
    SELECT
      *, row_number() OVER latest_first AS place_alike,
      if(stands_alone,
        lagInFrame(touch_time, {max_touches:UInt32}, toDateTime64('2299-12-31', 3, 'UTC')) OVER latest_first,
        lagInFrame(touch_time, 101, toDateTime64('2299-12-31', 3, 'UTC')) OVER latest_first) AS wanted_before
    FROM ruled
    WINDOW latest_first AS (
      PARTITION BY project_id, match, key, touch_type, app_id, os, has_gaid, has_idfa, rule, window_seconds, is_off,
        apps_on, is_used, stands_alone
      ORDER BY place
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
  ),

  -- One row per thousand of them.
  thousands AS (
    SELECT
      project_id, match, key, touch_type, app_id, os, has_gaid, has_idfa, rule, window_seconds, is_off, apps_on,
      is_used, intDiv(place_alike - 1, 1000) AS thousand, min(touch_time) AS oldest,
      max(wanted_before) AS all_wanted_before,
      arraySort(
        touch -> touch.place,
        groupArray((place, place_alike, wanted_before, touch_id, touch_time, received_at, campaign_id, partner_id)
          ::Tuple(place UInt64, place_alike UInt64, wanted_before DateTime64(3, 'UTC'), touch_id UUID,
            touch_time DateTime64(3, 'UTC'), received_at DateTime64(3, 'UTC'), campaign_id UInt32, partner_id UInt32))
      ) AS touches
    FROM alike
    GROUP BY
      project_id, match, key, touch_type, app_id, os, has_gaid, has_idfa, rule, window_seconds, is_off, apps_on,
      is_used, stands_alone, thousand
  ),

  -- One row per install and thousand of touches: those of them that it is held against. Of those after the install no
  -- more are kept than are shown.
  held_against AS (
    SELECT
      install.project_id AS project_id, install_id, install_time, install_received_at, install_app_id, install_os,
      install.match AS match, install.key AS key, touch_type, app_id, os, rule, window_seconds, is_used,
      is_off OR (rule = 'ctv_impression' AND NOT has(apps_on, install_app_id)) AS is_switched_off,
      (has_gaid AND isNotNull(install_gaid)) OR (has_idfa AND isNotNull(install_idfa)) AS has_comparable_id,
      arrayFilter(
        touch -> if(touch.touch_time <= install_time, install_time < touch.wanted_before, touch.place_alike <= 101),
        touches
      ) AS held
    FROM identifiers AS install
    INNER JOIN thousands ON install.project_id = thousands.project_id AND install.match = thousands.match
      AND install.key = thousands.key
      AND (thousand = 0 OR (oldest <= install_time AND install_time < all_wanted_before))
  ),

  candidates AS (
    SELECT
      project_id, install_id, install_received_at, touch_type, touch.touch_id AS touch_id,
      touch.touch_time AS touch_time, touch.received_at AS received_at, touch.campaign_id AS campaign_id,
      touch.partner_id AS partner_id, rule, window_seconds,
      toUnixTimestamp64Milli(install_time) - toUnixTimestamp64Milli(touch_time) AS age_ms,
      -- An iPad calls itself a Mac, and Android in desktop mode Linux.
      transform(os, ['macos', 'linux'], ['ios', 'android']) AS may_be,
      transform(install_os, ['macos', 'linux'], ['ios', 'android']) AS install_may_be,
      multiIf(
        is_switched_off, 'switched_off',
        -- What the referrer names was clicked before the install, whatever the clock of the device says.
        age_ms < 0 AND rule != 'referrer', 'later_than_install',
        age_ms > toInt64(window_seconds) * 1000, 'outside_window',
        received_at >= install_received_at, 'received_too_late',
        app_id != '' AND app_id != install_app_id, 'other_app',
        rule = 'ip_click' AND has_comparable_id, 'carries_id',
        rule = 'ip_click' AND os != '' AND install_os != '' AND may_be != install_may_be, 'other_os',
        is_used, 'already_used',
        ''
      ) AS reason
    FROM (
      -- For each identifier and kind of touch, the latest {max_touches} before the install count.
      SELECT
        *,
        arrayFirst(touch -> touch.touch_time <= install_time, held).place AS first_place,
        minIf(first_place, first_place > 0) OVER (PARTITION BY project_id, install_id, match, key, touch_type)
          AS latest_place
      FROM held_against
    )
    ARRAY JOIN held AS touch
    WHERE latest_place = 0 OR touch.place < latest_place + {max_touches:UInt32}
  )

SELECT
  {run_id:UInt64}, project_id, install_id, install_received_at, touch_type, touch_id, touch_time, received_at,
  campaign_id, partner_id, rule, indexOf(rules, rule) AS rule_order, window_seconds, reason
FROM (
  SELECT *
  FROM candidates
  -- More than one rule may match a touch: what counts is the first by which it is eligible.
  ORDER BY reason != '', indexOf(rules, rule)
  LIMIT 1 BY project_id, install_id, touch_id
)
-- The first 100 are shown; the winner is the first eligible one.
ORDER BY rule_order, touch_time DESC, received_at DESC, toString(touch_id) DESC
LIMIT 100 BY project_id, install_id, reason = ''
SETTINGS max_bytes_before_external_sort = 500000000
