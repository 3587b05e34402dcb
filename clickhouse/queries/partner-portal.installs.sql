-- One row per slot: installs, reinstalls and re-engagements that campaigns of partner {partner_id} are credited with. A
-- slot is a project, or when an hour or day begins, UTC, by their own time, as {by} says.
-- Tables: adtrail.journeys, adtrail.campaigns.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'hour', toUnixTimestamp(toStartOfHour(start_time)),
    toUnixTimestamp(toStartOfDay(start_time))) AS slot,
  countIf(kind = 'install') AS installs, countIf(kind = 'reinstall') AS reinstalls,
  countIf(kind = 'reengagement') AS reengagements
FROM adtrail.journeys FINAL
WHERE project_id IN {projects:Array(UInt32)}
  AND campaign_id IN (SELECT campaign_id FROM adtrail.campaigns FINAL WHERE partner_id = {partner_id:UInt32})
  AND toDate(start_time) BETWEEN {from:Date} AND {to:Date}
GROUP BY slot
