-- One row per app event, exactly once, with the attribution of its install; nothing of it while that is undecided.
-- On a cluster each shard joins its own rows, whatever the reader has set: an install and its events are on one.
-- cluster: needs app_events, installs sharded by install_id
CREATE OR REPLACE VIEW analytics.app_events
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  event.* EXCEPT (event_key, version, is_deleted),
  install.reinstall AS reinstall,
  install.rule AS rule,
  install.campaign_id AS campaign_id,
  campaign.campaign_display_id AS campaign_display_id,
  campaign.campaign_name AS campaign_name,
  campaign.custom_channel AS custom_channel,
  install.ad_set_id AS ad_set_id,
  install.ad_id AS ad_id,
  install.keyword_id AS keyword_id
FROM adtrail.app_events AS event FINAL
LEFT JOIN (
  -- Under names of their own: what event.* shows must not be ambiguous.
  SELECT
    project_id AS install_project_id, install_id AS decided_install_id, reinstall, toString(rule) AS rule,
    campaign_id, ad_set_id, ad_id, keyword_id
  FROM adtrail.installs FINAL
) AS install ON event.project_id = install.install_project_id AND event.install_id = install.decided_install_id
LEFT JOIN adtrail.campaign_names AS campaign
  ON event.project_id = campaign.campaign_project_id AND install.campaign_id = campaign.campaign_id
SETTINGS distributed_product_mode = 'local', prefer_global_in_and_join = 0
COMMENT 'App events: each exactly once, with the attribution of its install';
