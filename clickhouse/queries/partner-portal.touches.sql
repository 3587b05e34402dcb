-- One row per slot and kind of touch: how many touches of partner {partner_id} were received first in it. A slot is a
-- project, or when an hour or day begins, UTC, as {by} says. Imported clicks are left out.
-- Tables: adtrail.clicks, adtrail.impressions, adtrail.ctv_impressions.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'hour', toUnixTimestamp(toStartOfHour(received_at)),
    toUnixTimestamp(toStartOfDay(received_at))) AS slot,
  if(kind = 'link', 'link_click', 'click') AS what, count() AS touches
FROM adtrail.clicks FINAL
WHERE project_id IN {projects:Array(UInt32)} AND bucket BETWEEN {from:Date} AND {to:Date}
  AND partner_id = {partner_id:UInt32} AND kind IN ('s2s', 'link')
GROUP BY slot, what
UNION ALL
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'hour', toUnixTimestamp(toStartOfHour(received_at)),
    toUnixTimestamp(toStartOfDay(received_at))) AS slot,
  'impression' AS what, count() AS touches
FROM adtrail.impressions FINAL
WHERE project_id IN {projects:Array(UInt32)} AND bucket BETWEEN {from:Date} AND {to:Date}
  AND partner_id = {partner_id:UInt32}
GROUP BY slot
UNION ALL
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'hour', toUnixTimestamp(toStartOfHour(received_at)),
    toUnixTimestamp(toStartOfDay(received_at))) AS slot,
  'ctv_impression' AS what, count() AS touches
FROM adtrail.ctv_impressions FINAL
WHERE project_id IN {projects:Array(UInt32)} AND bucket BETWEEN {from:Date} AND {to:Date}
  AND partner_id = {partner_id:UInt32}
GROUP BY slot
