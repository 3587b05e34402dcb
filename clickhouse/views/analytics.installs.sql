-- One row per install, exactly once, with its attribution and how it was decided, and the country of its install event.
-- On a cluster each shard joins its own rows, whatever the reader has set: an install and its events are on one.
-- cluster: needs app_events, installs sharded by install_id
CREATE OR REPLACE VIEW analytics.installs
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  install.* EXCEPT (version, is_deleted),
  event.country AS country,
  campaign.campaign_display_id AS campaign_display_id,
  campaign.campaign_name AS campaign_name,
  campaign.partner_name AS partner_name,
  campaign.custom_channel AS custom_channel,
  campaign.campaign_network AS network
FROM adtrail.installs AS install FINAL
LEFT JOIN (
  -- Under names of their own: what install.* shows must not be ambiguous.
  SELECT project_id AS event_project_id, install_id AS event_install_id, country
  FROM adtrail.app_events FINAL
  WHERE type = 'install'
) AS event ON install.project_id = event.event_project_id AND install.install_id = event.event_install_id
LEFT JOIN adtrail.campaign_names AS campaign
  ON install.project_id = campaign.campaign_project_id AND install.campaign_id = campaign.campaign_id
WHERE install.is_deleted = 0
SETTINGS distributed_product_mode = 'local', prefer_global_in_and_join = 0
COMMENT 'Installs: each exactly once, with its attribution and how it was decided';
