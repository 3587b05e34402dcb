-- name: latest
-- The latest {rows} rows of decided installs of project {project} before ({before_time}, {before_id}) that the
-- parameters choose, as installs.page.sql has them: one row per stored row, the latest first. Rows that do not count
-- any more are among them.
--
-- The projection by_time answers, from its end: FINAL would read all installs of the project.
SELECT install_id, toUnixTimestamp64Milli(install_time) AS installed_ms
FROM adtrail.installs
WHERE project_id = {project:UInt32}
  AND install_time <= fromUnixTimestamp64Milli({before_time:Int64}, 'UTC')
  AND (install_time, install_id) < (fromUnixTimestamp64Milli({before_time:Int64}, 'UTC'), {before_id:String})
  AND toDate(install_time, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
  AND ({campaign:Int64} = -1 OR campaign_id = {campaign:Int64} OR {campaign:Int64} = -2 AND campaign_id != 0)
  AND ({partner:UInt32} = 0 OR partner_id = {partner:UInt32})
  AND ({suspicious:Int8} = -1 OR (click_injection = 1 OR install_hijacking = 1) = ({suspicious:Int8} = 1))
ORDER BY install_time DESC, install_id DESC
LIMIT {rows:UInt32}
-- Few rows are wanted: one thread in small blocks stops early, and a filter of the greatest would only read ahead.
SETTINGS max_threads = 1, max_block_size = 8192, use_top_k_dynamic_filtering = 0;

-- name: rows
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
LEFT JOIN decisions AS decision ON events.install_id = decision.install_id;

-- name: events
-- One row per event of install {install} of project {project}, the latest first; {limit} of them.
SELECT event_id, type, name, time, received_at, payment_type, amount, currency, user_id, link
FROM adtrail.app_events FINAL
WHERE project_id = {project:UInt32} AND install_id = {install:String}
ORDER BY time DESC, event_id DESC
LIMIT {limit:UInt32};

-- name: count-events
-- How many events of install {install} of project {project} there are.
SELECT count() AS total
FROM adtrail.app_events FINAL
WHERE project_id = {project:UInt32} AND install_id = {install:String};
