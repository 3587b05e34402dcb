-- One row per install of {installs} of project {project}: its install event, its user as the attribution result names
-- it, and the decision; rule is empty while there is none.
WITH
  events AS (
    SELECT
      install_id,
      argMaxIf(user_id, (type = 'signup', time, id), user_id != '') AS user,
      anyIf((time, received_at, app_id, platform, country, gaid, idfa, ua), type = 'install') AS install
    FROM adtrail.app_events FINAL
    WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)}
    GROUP BY install_id
  ),
  decisions AS (
    SELECT
      install_id, rule, campaign_id, partner_id, touch_type, touch_to_install_ms, reinstall, click_injection,
      install_hijacking
    FROM adtrail.installs FINAL
    WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)} AND is_deleted = 0
  )
SELECT
  install_id, user AS user_id, install.1 AS installed_at, install.2 AS received_at, install.3 AS app_id,
  install.4 AS platform, install.5 AS country, install.6 AS gaid, install.7 AS idfa, install.8 AS ua,
  decision.rule AS rule, decision.campaign_id AS campaign_id, decision.partner_id AS partner_id,
  decision.touch_type AS touch_type, decision.touch_to_install_ms AS touch_to_install_ms,
  decision.reinstall AS reinstall, decision.click_injection AS click_injection,
  decision.install_hijacking AS install_hijacking
FROM events
LEFT JOIN decisions AS decision ON events.install_id = decision.install_id
