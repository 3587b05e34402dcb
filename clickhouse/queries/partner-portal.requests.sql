-- One row per slot, endpoint and outcome: how many S2S requests of partner {partner_id} there were. A slot is a
-- project, or when an hour or day begins, UTC, as {by} says. Table: adtrail.s2s_requests.
SELECT
  multiIf({by:String} = 'project', project_id, {by:String} = 'hour', toUnixTimestamp(hour),
    toUnixTimestamp(toStartOfDay(hour))) AS slot, kind, outcome, sum(requests) AS requests
FROM adtrail.s2s_requests FINAL
WHERE partner_id = {partner_id:UInt32} AND toDate(hour) BETWEEN {from:Date} AND {to:Date}
  AND ({any_project:Bool} OR project_id IN {projects:Array(UInt32)})
GROUP BY slot, kind, outcome
