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
GROUP BY partner_id
