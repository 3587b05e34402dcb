-- Step google_campaigns. One row per synced Google campaign that matches the search, with or without visitors, and its
-- place by spend on the days from {from} to {to} in the project's time zone, then by ID.
-- Table: adtrail.campaigns. View: adtrail.spend_by_campaign_day.
SELECT network_campaign_id AS id, row_number() OVER (ORDER BY spend DESC, id) AS place
FROM (
  SELECT campaign.network_campaign_id AS network_campaign_id, sum(spent.spend) AS spend
  FROM (
    SELECT campaign_id, network_campaign_id
    FROM adtrail.campaigns FINAL
    WHERE project_id = {project_id:UInt32} AND NOT deleted AND network = 'GOOGLE' AND network_campaign_id != ''
  ) AS campaign
  LEFT JOIN (
    SELECT campaign_id, sum(spend) AS spend
    FROM adtrail.spend_by_campaign_day
    WHERE project_id = {project_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date} AND network != ''
    GROUP BY campaign_id
  ) AS spent ON spent.campaign_id = campaign.campaign_id
  WHERE {search:String} = '' OR positionCaseInsensitiveUTF8(campaign.network_campaign_id, {search:String}) > 0
  GROUP BY network_campaign_id
)
