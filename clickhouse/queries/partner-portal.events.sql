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
GROUP BY slot
