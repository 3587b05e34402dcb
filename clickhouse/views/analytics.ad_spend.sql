-- One row per row of ad spend as last received, with the names of its campaign. Levels may overlap.
CREATE OR REPLACE VIEW analytics.ad_spend
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  spent.* EXCEPT (campaign_name, version, upload_id, is_deleted),
  campaign.campaign_display_id AS campaign_display_id,
  campaign.campaign_name AS campaign_name,
  campaign.custom_channel AS custom_channel
FROM adtrail.ad_spend AS spent FINAL
LEFT JOIN adtrail.campaign_names AS campaign
  ON spent.project_id = campaign.campaign_project_id AND spent.campaign_id = campaign.campaign_id
WHERE spent.is_deleted = 0
COMMENT 'Ad spend: each row as last received; levels may overlap, counted_spend has those that count';
