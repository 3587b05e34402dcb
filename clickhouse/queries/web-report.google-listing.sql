-- The part of web-report.rows that lists Google's synced campaigns with or without visitors: the first {listed_limit} by
-- spend on the days from {from} to {to}, then by ID; beyond_limit says that there are more, which are left out.
  google_campaigns AS (
    SELECT network_campaign_id AS id, row_number() OVER (ORDER BY spend DESC, id) AS place
    FROM (
      SELECT campaign.network_campaign_id AS network_campaign_id, sum(spend.spend) AS spend
      FROM (SELECT * FROM adtrail.campaigns FINAL WHERE project_id = {project_id:UInt32} AND NOT deleted AND network = 'GOOGLE' AND network_campaign_id != '') AS campaign
      LEFT JOIN (SELECT campaign_id, sum(spend) AS spend FROM adtrail.spend_by_campaign_day WHERE project_id = {project_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date} AND network != '' GROUP BY campaign_id) AS spend
        ON spend.campaign_id = campaign.campaign_id
      WHERE {search:String} = '' OR positionCaseInsensitiveUTF8(campaign.network_campaign_id, {search:String}) > 0
      GROUP BY network_campaign_id
    )
  ),
