-- What the year report shows, grouped directly over the base tables: one row a campaign.
WITH
  tracked AS (
    SELECT campaign_id, count() AS clicks FROM adtrail.clicks FINAL
    WHERE project_id = {project_id:UInt32}
      AND toDate(click_time, {timezone:String}) BETWEEN {from:Date} AND {to:Date}
    GROUP BY campaign_id
  ),
  followed AS (
    SELECT install.campaign_id AS campaign_id, install.install_id AS install_id,
      any(toDate(install.install_time, {timezone:String})) AS start,
      groupUniqArrayIf(
        toInt32(toDate(event.time, {timezone:String})) - toInt32(toDate(install.install_time, {timezone:String})),
        event.type NOT IN ('install', 'uninstall', 'refund')) AS offsets,
      countIf(event.type = 'signup' AND toDate(event.time, {timezone:String}) BETWEEN {from:Date} AND {to:Date})
        AS signups,
      sumIf(event.amount, event.type = 'payment'
        AND toDate(event.time, {timezone:String}) BETWEEN {from:Date} AND {to:Date})
      - sumIf(event.amount, event.type = 'refund'
        AND toDate(event.time, {timezone:String}) BETWEEN {from:Date} AND {to:Date}) AS revenue
    FROM (SELECT * FROM adtrail.app_events FINAL WHERE project_id = {project_id:UInt32}) AS event
    INNER JOIN (
      SELECT install_id, campaign_id, install_time FROM adtrail.installs FINAL
      WHERE project_id = {project_id:UInt32} AND reinstall = 0
    ) AS install ON event.install_id = install.install_id
    GROUP BY campaign_id, install_id
  )
SELECT campaign_id, any(tracked.clicks) AS clicks, countIf(start BETWEEN {from:Date} AND {to:Date}) AS installs,
  sum(signups) AS signups, sum(revenue) AS revenue,
  countIf(arrayExists(o -> o = 1, offsets)) AS d1, countIf(arrayExists(o -> o BETWEEN 1 AND 7, offsets)) AS d7,
  countIf(arrayExists(o -> o BETWEEN 1 AND 14, offsets)) AS d14,
  countIf(arrayExists(o -> o BETWEEN 1 AND 30, offsets)) AS d30,
  countIf(arrayExists(o -> o = 7, offsets)) AS c7, countIf(arrayExists(o -> o >= 7, offsets)) AS r7
FROM followed LEFT JOIN tracked USING campaign_id
GROUP BY campaign_id
