-- One row per install, exactly once, with its attribution and how it was decided.
CREATE OR REPLACE VIEW analytics.installs
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  install.* EXCEPT (version, is_deleted),
  campaign.campaign_display_id AS campaign_display_id,
  campaign.campaign_name AS campaign_name,
  campaign.partner_name AS partner_name,
  campaign.custom_channel AS custom_channel,
  campaign.campaign_network AS network
FROM adtrail.installs AS install FINAL
LEFT JOIN adtrail.campaign_names AS campaign
  ON install.project_id = campaign.campaign_project_id AND install.campaign_id = campaign.campaign_id
WHERE install.is_deleted = 0
COMMENT 'Installs: each exactly once, with its attribution and how it was decided';
