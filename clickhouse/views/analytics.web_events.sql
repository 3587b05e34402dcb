-- One row per web event, exactly once, with the campaign that the utm_id of its page names.
CREATE OR REPLACE VIEW analytics.web_events
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  event.* EXCEPT (id, stored_at, touch, version, is_deleted),
  campaign.display_id AS campaign_display_id,
  campaign.name AS campaign_name,
  campaign.custom_channel AS custom_channel
FROM adtrail.web_events AS event FINAL
LEFT JOIN (
  SELECT
    project_id, key,
    argMin(named.display_id, named.campaign_id) AS display_id,
    argMin(named.name, named.campaign_id) AS name,
    argMin(named.custom_channel, named.campaign_id) AS custom_channel
  FROM adtrail.campaigns AS named FINAL
  ARRAY JOIN arrayFilter(id -> id != '', [named.display_id, named.network_campaign_id]) AS key
  WHERE NOT named.deleted
  GROUP BY project_id, key
) AS campaign ON event.project_id = campaign.project_id AND event.utm_id = campaign.key
COMMENT 'Web events: each exactly once, with the campaign that its address names';
