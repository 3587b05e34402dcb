-- One row per campaign of {campaign_ids}: its spend on the days from {from} to {to} in the project's time zone, in the
-- currency of its account; null with more than one currency. View: adtrail.spend_by_campaign_day.
SELECT campaign_id, if(uniqExact(currency) > 1, NULL, sum(spend)) AS spend
FROM adtrail.spend_by_campaign_day
WHERE project_id = {project_id:UInt32}
  AND campaign_id IN {campaign_ids:Array(UInt32)}
  AND date BETWEEN {from:Date} AND {to:Date}
  AND network != ''
GROUP BY campaign_id
