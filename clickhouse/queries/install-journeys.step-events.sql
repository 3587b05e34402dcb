-- One row per root install: the events of all its installs, one list for each use.
SELECT
  project_id, root_install,
  groupArray((install_hash, time, day, is_activity)) AS all_events,
  groupArrayIf((install_id, time, id, campaign_id), type = 'open' AND campaign_id != 0) AS link_opens,
  groupArrayIf((time, day), type = 'signup') AS signups,
  groupArrayIf((time, day), type = 'uninstall') AS uninstalls,
  groupArrayIf((time, day, utc_day, is_refund, payment_type, currency, signed_amount),
    type IN ('payment', 'refund')) AS money,
  groupArrayIf((time, day, name, user_id), type = 'event') AS named,
  groupArrayIf((time, day, utc_day, name, currency, signed_amount), type = 'event' AND is_priced) AS priced,
  -- The user of an event that names none: that of the latest sign-up, else the latest known.
  argMaxIf(user_id, (type = 'signup', time, id), user_id != '') AS known_user
FROM (
  SELECT
    member.project_id AS project_id, member.root_install AS root_install,
    event.install_id AS install_id, sipHash64(install_id) AS install_hash,
    id, type, time, toDate(time, {timezone:String}) AS day, toDate(time) AS utc_day,
    type NOT IN ('install', 'uninstall', 'refund') AS is_activity, link_campaign_id AS campaign_id, name, user_id,
    payment_type, currency, type = 'refund' AS is_refund, isNotNull(amount) AS is_priced,
    if(is_refund, -ifNull(amount, 0), ifNull(amount, 0)) AS signed_amount
  FROM members AS member
  INNER JOIN (
    SELECT project_id, install_id, id, type, time, link_campaign_id, name, user_id, payment_type, currency, amount
    FROM adtrail.app_events FINAL
    PREWHERE project_id IN (SELECT project_id FROM members) AND install_id IN (SELECT install_id FROM members)
  ) AS event ON member.project_id = event.project_id AND member.install_id = event.install_id
)
GROUP BY project_id, root_install
