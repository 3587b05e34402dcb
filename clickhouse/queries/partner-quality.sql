-- name: installs
-- One row per partner: installs of a project that began in the range and are credited to its campaigns, by the days of
-- the project. `slots`: of those credited to a click, how many took how long from it, by the seconds in {edges}. Of
-- addresses only how many there are. Tables: adtrail.journeys, adtrail.campaigns, adtrail.installs.
SELECT
  partner_id, sum(installs_of_ip) AS installs, sum(suspicious_of_ip) AS suspicious,
  countIf(ip != '') AS ips, maxIf(installs_of_ip, ip != '') AS most_of_one_ip,
  countIf(ip != '' AND installs_of_ip > {many:UInt32}) AS ips_with_many,
  sumForEach(slots_of_ip) AS slots
FROM (
  SELECT
    campaign.partner_id AS partner_id, decision.ip AS ip, count() AS installs_of_ip,
    countIf(journey.suspicious = 1) AS suspicious_of_ip,
    sumForEach(arrayMap(
      slot -> toUInt64(
        journey.touch_type = 'click' AND decision.touch_to_install_ms IS NOT NULL
        AND slot = arrayCount(edge -> ifNull(decision.touch_to_install_ms, 0) >= edge * 1000, {edges:Array(UInt32)})
      ),
      range(length({edges:Array(UInt32)}) + 1)
    )) AS slots_of_ip
  FROM (
    SELECT campaign_id, root_install, touch_type, suspicious
    FROM adtrail.journeys FINAL
    WHERE project_id = {project_id:UInt32} AND report_view = 'user_acquisition'
      AND start_day BETWEEN {from:Date} AND {to:Date}
  ) AS journey
  INNER JOIN (
    SELECT campaign_id, partner_id
    FROM adtrail.campaigns FINAL
    WHERE project_id = {project_id:UInt32} AND partner_id IN {partners:Array(UInt32)}
  ) AS campaign ON journey.campaign_id = campaign.campaign_id
  LEFT ANY JOIN (
    SELECT reinterpretAsUUID(sipHash128(install_id)) AS install_hash, ip, touch_to_install_ms
    FROM adtrail.installs FINAL
    WHERE project_id = {project_id:UInt32} AND is_deleted = 0
  ) AS decision ON journey.root_install = decision.install_hash
  GROUP BY partner_id, ip
)
GROUP BY partner_id;

-- name: touches
-- One row per partner and kind of touch of a project: how many touches were received first in the range, and how many
-- of them by S2S. An hour belongs to the day of the project in which it begins. Imported clicks are left out. Tables:
-- adtrail.clicks, adtrail.impressions, adtrail.ctv_impressions.
SELECT partner_id, 'click' AS touch, count() AS touches, countIf(kind = 's2s') AS by_s2s
FROM adtrail.clicks FINAL
WHERE project_id = {project_id:UInt32} AND partner_id IN {partners:Array(UInt32)} AND kind IN ('s2s', 'link')
  AND bucket BETWEEN {from:Date} - 1 AND {to:Date} + 1
  AND toDate(toStartOfHour(received_at), {timezone:String}) BETWEEN {from:Date} AND {to:Date}
GROUP BY partner_id
UNION ALL
SELECT partner_id, 'impression' AS touch, count() AS touches, count() AS by_s2s
FROM adtrail.impressions FINAL
WHERE project_id = {project_id:UInt32} AND partner_id IN {partners:Array(UInt32)}
  AND bucket BETWEEN {from:Date} - 1 AND {to:Date} + 1
  AND toDate(toStartOfHour(received_at), {timezone:String}) BETWEEN {from:Date} AND {to:Date}
GROUP BY partner_id
UNION ALL
SELECT partner_id, 'ctv_impression' AS touch, count() AS touches, count() AS by_s2s
FROM adtrail.ctv_impressions FINAL
WHERE project_id = {project_id:UInt32} AND partner_id IN {partners:Array(UInt32)}
  AND bucket BETWEEN {from:Date} - 1 AND {to:Date} + 1
  AND toDate(toStartOfHour(received_at), {timezone:String}) BETWEEN {from:Date} AND {to:Date}
GROUP BY partner_id;

-- name: requests
-- One row per partner, endpoint and outcome: how many S2S requests for a project there were in the range. An hour
-- belongs to the day of the project in which it begins. Table: adtrail.s2s_requests.
SELECT partner_id, kind, outcome, sum(requests) AS requests
FROM adtrail.s2s_requests FINAL
WHERE project_id = {project_id:UInt32} AND partner_id IN {partners:Array(UInt32)}
  AND toDate(hour) BETWEEN {from:Date} - 1 AND {to:Date} + 1
  AND toDate(hour, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
GROUP BY partner_id, kind, outcome;
