-- name: touches
-- One row per touch of {projects} whose tid is {search} or whose ID is {id}, the latest first: {limit} at most. Those
-- of partner {partner} alone, unless that is 0. A touch lies where its bucket says, which its ID tells; its tid finds
-- it by the filters of the granules. Tables: adtrail.clicks, adtrail.impressions, adtrail.ctv_impressions.
SELECT
  touch_type, touch_id, kind, project_id, campaign_id, partner_id, tid, s2, s3, s4, touch_time, received_at,
  toUnixTimestamp64Milli(touch_time) AS touch_ms, CAST(app_id, 'String') AS app_id, CAST(d, 'String') AS d,
  CAST(country, 'String') AS country, ifNull(toString(gaid), '') AS gaid, ifNull(toString(idfa), '') AS idfa, ip
FROM (
  SELECT
    'click' AS touch_type, click_id AS touch_id, CAST(kind, 'String') AS kind, project_id, campaign_id, partner_id,
    tid, s2, s3, s4, click_time AS touch_time, received_at, app_id, d, country, gaid, idfa, ip
  FROM adtrail.clicks FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND (
    (bucket, click_id) IN (SELECT bucket, click_id FROM adtrail.clicks WHERE click_id = {id:UUID})
    OR (bucket, click_id) IN (
      SELECT bucket, click_id FROM adtrail.clicks
      WHERE project_id IN {projects:Array(UInt32)} AND tid = {search:String}
    )
  )
  UNION ALL
  SELECT
    'impression' AS touch_type, impression_id AS touch_id, 's2s' AS kind, project_id, campaign_id, partner_id,
    tid, s2, s3, s4, impression_time AS touch_time, received_at, app_id, d, country, gaid, idfa, '' AS ip
  FROM adtrail.impressions FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND (
    (bucket, impression_id) IN (SELECT bucket, impression_id FROM adtrail.impressions WHERE impression_id = {id:UUID})
    OR (bucket, impression_id) IN (
      SELECT bucket, impression_id FROM adtrail.impressions
      WHERE project_id IN {projects:Array(UInt32)} AND tid = {search:String}
    )
  )
  UNION ALL
  SELECT
    'ctv_impression' AS touch_type, impression_id AS touch_id, 's2s' AS kind, project_id, campaign_id, partner_id,
    tid, s2, s3, s4, impression_time AS touch_time, received_at, app_id, d, country, NULL AS gaid, NULL AS idfa, ip
  FROM adtrail.ctv_impressions FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND (
    (bucket, impression_id) IN (
      SELECT bucket, impression_id FROM adtrail.ctv_impressions WHERE impression_id = {id:UUID}
    )
    OR (bucket, impression_id) IN (
      SELECT bucket, impression_id FROM adtrail.ctv_impressions
      WHERE project_id IN {projects:Array(UInt32)} AND tid = {search:String}
    )
  )
)
WHERE {partner:UInt32} = 0 OR partner_id = {partner:UInt32}
ORDER BY received_at DESC, touch_id
LIMIT {limit:UInt32};

-- name: installs
-- One row per decided install of {projects} and touch of {touches} that was considered for it, the latest first:
-- {limit} at most. Only installs can have considered them that are credited to one, share an advertising ID of
-- {devices}, or had an address of {ips} from {from} to {until} (milliseconds).
-- Tables: adtrail.installs, adtrail.installs_by_identifier.
WITH found AS (
  SELECT project_id, install_id
  FROM adtrail.installs
  WHERE touch_id IN {touches:Array(UUID)}
  UNION ALL
  SELECT project_id, install_id
  FROM adtrail.installs_by_identifier
  WHERE identifier IN (
      SELECT bitShiftRight(sipHash64(project, 'device', device), 16)
      FROM (SELECT arrayJoin({projects:Array(UInt32)}) AS project)
      ARRAY JOIN {devices:Array(String)} AS device
    )
    AND toString(kind) IN ('gaid', 'idfa') AND value IN {devices:Array(String)}
  UNION ALL
  SELECT project_id, install_id
  FROM adtrail.installs
  WHERE project_id IN {projects:Array(UInt32)} AND ip IN {ips:Array(String)}
    AND install_time BETWEEN fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND fromUnixTimestamp64Milli({until:Int64}, 'UTC')
)
SELECT
  project_id, install_id, install_time, decided_at, reinstall, CAST(rule, 'String') AS rule, campaign_id,
  touch.1 AS touch_id, touch.2 AS verdict
FROM (
  SELECT
    project_id, install_id, install_time, decided_at, reinstall, rule, campaign_id,
    arrayDistinct(arrayConcat(
      if(has({touches:Array(UUID)}, assumeNotNull(touch_id)), [(assumeNotNull(touch_id), 'credited')], []),
      arrayMap(
        one -> (one.touch_id, one.verdict),
        arrayFilter(one -> has({touches:Array(UUID)}, one.touch_id), candidates)
      )
    )) AS considered
  FROM adtrail.installs FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND is_deleted = 0
    AND (project_id, install_id) IN (SELECT project_id, install_id FROM found)
)
ARRAY JOIN considered AS touch
ORDER BY install_time DESC, install_id
LIMIT {limit:UInt32};
