-- One row per install or reinstall that a campaign of partner {partner_id} is credited with, the latest first: nothing
-- of the device or the person. Tables: adtrail.installs, adtrail.app_events, adtrail.campaigns.
WITH
  own_campaigns AS (
    SELECT campaign_id, display_id, name
    FROM adtrail.campaigns FINAL
    WHERE partner_id = {partner_id:UInt32}
  ),
  latest AS (
    SELECT project_id, install_id, install_time, reinstall, campaign_id, touch_type, rule, platform,
      click_injection OR install_hijacking AS suspicious
    FROM adtrail.installs FINAL
    WHERE project_id IN {projects:Array(UInt32)} AND is_deleted = 0
      AND campaign_id IN (SELECT campaign_id FROM own_campaigns)
      AND toDate(install_time) BETWEEN {from:Date} AND {to:Date}
    ORDER BY install_time DESC, project_id, install_id
    LIMIT {limit:UInt32}
  )
SELECT
  latest.install_time AS install_time, latest.reinstall AS reinstall, latest.project_id AS project_id,
  own_campaigns.display_id AS display_id, own_campaigns.name AS campaign,
  CAST(latest.touch_type, 'String') AS touch_type, CAST(latest.rule, 'String') AS rule,
  CAST(install_event.country, 'String') AS country, CAST(latest.platform, 'String') AS platform,
  latest.suspicious AS suspicious
FROM latest
INNER JOIN own_campaigns ON latest.campaign_id = own_campaigns.campaign_id
LEFT ANY JOIN (
  SELECT project_id, install_id, country
  FROM adtrail.app_events FINAL
  WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM latest) AND type = 'install'
) AS install_event
  ON latest.project_id = install_event.project_id AND latest.install_id = install_event.install_id
ORDER BY install_time DESC, latest.project_id, latest.install_id
