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
WHERE project_id IN {projects:Array(UInt32)} OR partner_id IN {partners:Array(UInt32)}
