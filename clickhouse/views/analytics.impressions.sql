-- One row per impression, exactly once, with the names of its campaign.
CREATE OR REPLACE VIEW analytics.impressions
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  touch.* EXCEPT (version, is_deleted, stored_at),
  campaign.campaign_display_id AS campaign_display_id,
  campaign.campaign_name AS campaign_name,
  campaign.partner_name AS partner_name,
  campaign.custom_channel AS custom_channel
FROM adtrail.impressions AS touch FINAL
LEFT JOIN adtrail.campaign_names AS campaign
  ON touch.project_id = campaign.campaign_project_id AND touch.campaign_id = campaign.campaign_id
COMMENT 'Impressions: each exactly once, with the names of its campaign';
