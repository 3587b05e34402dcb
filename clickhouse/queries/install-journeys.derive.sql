-- One row per journey of a part of a run, in one time zone: an install with all events of it and its reinstalls; each
-- reinstall and re-engagement with the events from it until the next one. Event time counts, in the project's days.
INSERT INTO adtrail.journeys (project_id, report_view, campaign_id, root_install, conversion_id, kind, install_id,
  platform, ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name,
  touch_type, suspicious, start_time, start_day, active_days, last_active_day, last_event_time, signup_days,
    uninstall_days,
  money_days, money_utc_days, money_refunds, money_types, money_currencies, money_amounts, event_days, event_names,
    event_users,
  priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts, version)
WITH
  members AS (
    SELECT project_id, install_id, root_install FROM adtrail.journey_members
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND project_id IN {projects:Array(UInt32)}
  ),
  -- One row per root_install: its install events and those of its reinstalls, each as the journey that it opens.
  installed AS (
    SELECT member.project_id AS project_id, member.root_install AS root_install, any(install.platform) AS platform,
      groupArray(CAST((install.reinstall = 1, install.install_id, install.install_time,
        if(install.reinstall = 1, reinterpretAsUUID(sipHash128(install.install_id)),
        toUUID('00000000-0000-0000-0000-000000000000')),
        install.campaign_id, install.ad_set_id, install.ad_set_name, install.ad_id, install.ad_name, install.ad_type,
          install.keyword_id, install.keyword_name, install.touch_type,
        install.click_injection OR install.install_hijacking, if(install.reinstall = 1, 'reinstall', 'install')),
        'Tuple(is_episode UInt8, install_id String, start DateTime64(3, \'UTC\'), conversion_id UUID, campaign_id UInt32, ad_set_id String, ad_set_name String, ad_id String, ad_name String, ad_type String, keyword_id String, keyword_name String, touch_type String, suspicious UInt8, kind String)')) AS installs
    FROM members AS member
    INNER JOIN (SELECT * FROM adtrail.installs FINAL PREWHERE project_id IN (SELECT project_id FROM members)
      AND install_id IN (SELECT install_id FROM members)) AS install
      ON member.project_id = install.project_id AND member.install_id = install.install_id
    GROUP BY project_id, root_install
  ),
  -- One row per root_install: what all its installs have in them, an array a question. None carries more than its
  -- question needs. Installs are told apart by a hash of their ID.
  happened AS (
    SELECT member.project_id AS project_id, member.root_install AS root_install,
      groupArray(CAST((sipHash64(event.install_id), time, day, type NOT IN ('install', 'uninstall', 'refund')),
        'Tuple(install UInt64, time DateTime64(3, \'UTC\'), day Date, is_activity UInt8)')) AS events,
      groupArrayIf(CAST((event.install_id, time, id, link_campaign_id),
        'Tuple(install_id String, time DateTime64(3, \'UTC\'), id UUID, campaign_id UInt32)'), type = 'open'
        AND link_campaign_id != 0) AS opens,
      groupArrayIf(CAST((time, day), 'Tuple(time DateTime64(3, \'UTC\'), day Date)'), type = 'signup') AS signups,
      groupArrayIf(CAST((time, day), 'Tuple(time DateTime64(3, \'UTC\'), day Date)'), type = 'uninstall') AS uninstalls,
      groupArrayIf(CAST((time, day, utc_day, type = 'refund', payment_type, currency,
        if(type = 'refund', -ifNull(amount, 0), ifNull(amount, 0))),
        'Tuple(time DateTime64(3, \'UTC\'), day Date, utc_day Date, is_refund UInt8, type String, currency String, amount Decimal(38, 9))'), type IN ('payment', 'refund')) AS money,
      groupArrayIf(CAST((time, day, name, event.user_id),
        'Tuple(time DateTime64(3, \'UTC\'), day Date, name String, user_id String)'), type = 'event') AS named,
      groupArrayIf(CAST((time, day, utc_day, name, currency, ifNull(amount, 0)),
        'Tuple(time DateTime64(3, \'UTC\'), day Date, utc_day Date, name String, currency String, amount Decimal(38, 9))'), type = 'event' AND isNotNull(amount)) AS priced,
      -- The user of an event that names none: the latest sign-up's, else the latest known.
      argMaxIf(event.user_id, (type = 'signup', time, id), event.user_id != '') AS user_id
    FROM members AS member
    INNER JOIN (
      SELECT *, toDate(time, {timezone:String}) AS day, toDate(time) AS utc_day
      FROM adtrail.app_events FINAL
      PREWHERE project_id IN (SELECT project_id FROM members) AND install_id IN (SELECT install_id FROM members)
    ) AS event ON member.project_id = event.project_id AND member.install_id = event.install_id
    GROUP BY project_id, root_install
  ),
  -- One row per journey. A re-engagement is an open by a link of a campaign, 24 hours after its install at the earliest
  -- and after inactivity_days without an event; it has no touch and no ad set.
  journeys AS (
    SELECT project_id, root_install, platform, user_id, events, signups, uninstalls, money, named, priced,
      arrayFilter(o -> arrayExists(i -> i.install_id = o.install_id AND o.time >= i.start + INTERVAL 24 HOUR, installs)
        AND NOT arrayExists(e -> e.install = sipHash64(o.install_id) AND e.time < o.time
          AND dateDiff('millisecond', e.time, o.time) < {inactivity_days:UInt32} * 86400000, events), opens) AS returns,
      arrayMap(o -> CAST((1, o.install_id, o.time, o.id, o.campaign_id, '', '', '', '', '', '', '', '', 0,
        'reengagement'),
        'Tuple(is_episode UInt8, install_id String, start DateTime64(3, \'UTC\'), conversion_id UUID, campaign_id UInt32, ad_set_id String, ad_set_name String, ad_id String, ad_name String, ad_type String, keyword_id String, keyword_name String, touch_type String, suspicious UInt8, kind String)'), returns) AS reengagements,
      arraySort(j -> (j.start, j.conversion_id),
        arrayConcat(arrayFilter(i -> i.is_episode, installs), reengagements)) AS episodes,
      arrayConcat(
        arrayMap(i -> (i, toDateTime64('1900-01-01 00:00:00', 3, 'UTC'),
          toDateTime64('2299-01-01 00:00:00', 3, 'UTC')), arrayFilter(i -> NOT i.is_episode, installs)),
        arrayMap((j, n) -> (j, j.start,
          if(n < length(episodes), episodes[n + 1].start, toDateTime64('2299-01-01 00:00:00', 3, 'UTC'))), episodes,
          arrayEnumerate(episodes))) AS spans
    FROM installed INNER JOIN happened ON installed.project_id = happened.project_id
      AND installed.root_install = happened.root_install
  ),
  opened AS (
    SELECT project_id, root_install, platform, user_id, arrayJoin(spans) AS span, span.1 AS journey,
      toDate(journey.start, {timezone:String}) AS start_day,
      arrayFilter(e -> e.time >= span.2 AND e.time < span.3, events) AS own,
      arrayDistinct(arrayMap(e -> toInt32(e.day) - toInt32(start_day),
        arrayFilter(e -> e.is_activity AND e.day > start_day, own))) AS active,
      arrayFilter(e -> e.time >= span.2 AND e.time < span.3, signups) AS own_signups,
        arrayFilter(e -> e.time >= span.2 AND e.time < span.3, uninstalls) AS own_uninstalls,
      arrayFilter(e -> e.time >= span.2 AND e.time < span.3, money) AS own_money,
        arrayFilter(e -> e.time >= span.2 AND e.time < span.3, named) AS own_named,
        arrayFilter(e -> e.time >= span.2 AND e.time < span.3, priced) AS own_priced
    FROM journeys
  )
SELECT project_id, if(journey.is_episode, 'retargeting', 'user_acquisition'), journey.campaign_id,
  reinterpretAsUUID(sipHash128(root_install)), journey.conversion_id, journey.kind, root_install, platform,
  journey.ad_set_id, journey.ad_set_name, journey.ad_id, journey.ad_name, journey.ad_type, journey.keyword_id,
    journey.keyword_name, journey.touch_type, journey.suspicious,
  journey.start, start_day,
  arrayReduce('groupBitOr',
    arrayMap(d -> toUInt32(bitShiftLeft(toUInt64(1), d)), arrayFilter(d -> d <= 30, active))) AS active_days,
  toUInt16(least(arrayMax(arrayPushBack(active, 0)), 65535)) AS last_active_day,
  arrayMax(arrayPushBack(own.time, toDateTime64(0, 3, 'UTC'))),
  own_signups.day, own_uninstalls.day,
  own_money.day, own_money.utc_day, own_money.is_refund, own_money.type, own_money.currency, own_money.amount,
  own_named.day, own_named.name,
    arrayMap(e -> sipHash64(multiIf(e.user_id != '', ('user', e.user_id), user_id != '', ('user', user_id),
    ('install', root_install))), own_named),
  own_priced.day, own_priced.utc_day, own_priced.name, own_priced.currency, own_priced.amount,
  {run_id:UInt64}
FROM opened
