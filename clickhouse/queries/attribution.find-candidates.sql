-- Finds the candidates of run {run_id}: one row per install and touch that shares an identifier with it. Each has the
-- rule of docs/contract.md, Attribution, that matches them, the lookback window, and the reason why the touch is not
-- eligible. Windows and switches are those in force now.
INSERT INTO adtrail.attribution_candidates (
  run_id, project_id, install_id, install_received_at, touch_type, touch_id, touch_time, received_at, campaign_id,
  partner_id, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, rule, rule_order, window_seconds, reason
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

  touches AS (
    SELECT
      project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id, os,
      has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name
    FROM adtrail.attribution_matches
    WHERE run_id = {run_id:UInt64}
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

  candidates AS (
    SELECT
      install.project_id AS project_id, install_id, install_received_at,
      touch_type, touch_id, touch_time, received_at, touch.campaign_id AS campaign_id, touch.partner_id AS partner_id,
      ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name,

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
        rule IN ('referrer', 'device_click'), click_window_days[click_window] * 86400,
        rule = 'ip_click', ip_click_window_hours * 3600,
        rule = 'device_impression', least(project.view_window_hours, partner_window_hours) * 3600,
        least(ctv_window_hours, partner_window_hours) * 3600
      )) AS window_seconds,

      multiIf(
        rule = 'ip_click' AND ip_click_window_hours = 0, 1,
        kind = 's2s', NOT s2s_clicks,
        rule = 'device_impression', NOT (s2s_traffic AND view_through),
        rule = 'ctv_impression', NOT (s2s_traffic AND view_through AND has(ctv_apps, install_app_id)),
        0
      ) AS is_switched_off,
      (has_gaid AND isNotNull(install_gaid)) OR (has_idfa AND isNotNull(install_idfa)) AS has_comparable_id,
      toUnixTimestamp64Milli(install_time) - toUnixTimestamp64Milli(touch_time) AS age_ms,
      multiIf(
        is_switched_off, 'switched_off',
        age_ms < 0, 'later_than_install',
        age_ms > toInt64(window_seconds) * 1000, 'outside_window',
        received_at >= install_received_at, 'received_too_late',
        app_id != '' AND app_id != install_app_id, 'other_app',
        rule = 'ip_click' AND has_comparable_id, 'carries_id',
        rule = 'ip_click' AND os != '' AND install_os != '' AND os != install_os, 'other_os',
        rule = 'device_impression' AND touch_id IN (SELECT touch_id FROM used_impressions), 'already_used',
        ''
      ) AS reason
    FROM identifiers AS install
    INNER JOIN touches AS touch
      ON install.project_id = touch.project_id AND install.match = touch.match AND install.key = touch.key
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
  )

SELECT
  {run_id:UInt64}, project_id, install_id, install_received_at, touch_type, touch_id, touch_time, received_at,
  campaign_id, partner_id, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name,
  rule, indexOf(rules, rule) AS rule_order, window_seconds, reason
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
