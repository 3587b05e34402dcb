-- One row per root install: the events of all its installs, one list for each use.
SELECT
  project_id, root_install,
  groupArray((install_hash, time, day, is_activity)) AS all_events,
  groupArrayIf((install_id, time, id, campaign_id), type = 'open' AND campaign_id != 0) AS link_opens,
  groupArrayIf((time, day), type = 'signup') AS signups,
  groupArrayIf((time, day), type = 'uninstall') AS uninstalls,
  groupArrayIf((time, day, utc_day, is_refund, payment_type, currency, signed_amount),
    type IN ('payment', 'refund')) AS money,
  groupArrayIf((time, day, name, user), type = 'event') AS named,
  groupArrayIf((time, day, utc_day, name, currency, signed_amount), type = 'event' AND is_priced) AS priced,
  -- The user of an event that names none: that of the latest sign-up, else the latest known.
  argMaxIf(user, (type = 'signup', time, id), user != 0) AS known_user
FROM (
  SELECT
    member.project_id AS project_id, member.root_install AS root_install,
    known_events.install_id AS install_id, sipHash64(install_id) AS install_hash,
    known_events.id AS id, event.type AS type, fromUnixTimestamp64Milli(event.time, 'UTC') AS time,
    toDate(time, {timezone:String}) AS day, toDate(time) AS utc_day,
    type NOT IN ('install', 'uninstall', 'refund') AS is_activity, event.link_campaign_id AS campaign_id,
    event.name AS name, known_events.user AS user, event.payment_type AS payment_type, event.currency AS currency,
    type = 'refund' AS is_refund, isNotNull(event.amount) AS is_priced,
    if(is_refund, -ifNull(event.amount, 0), ifNull(event.amount, 0)) AS signed_amount
  FROM members AS member
  INNER JOIN known_events
    ON member.project_id = known_events.project_id AND member.install_id = known_events.install_id
)
GROUP BY project_id, root_install
