-- One row per partner, endpoint and outcome: how many S2S requests for a project there were in the range. An hour
-- belongs to the day of the project in which it begins. Table: adtrail.s2s_requests.
SELECT partner_id, kind, outcome, sum(requests) AS requests
FROM adtrail.s2s_requests FINAL
WHERE project_id = {project_id:UInt32} AND partner_id IN {partners:Array(UInt32)}
  AND toDate(hour) BETWEEN {from:Date} - 1 AND {to:Date} + 1
  AND toDate(hour, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
GROUP BY partner_id, kind, outcome
