-- Writes a row for each visitor of a part of run {run_id}: from all events of that visitor, each once, without those of
-- bots. It replaces the earlier row of the visitor.
-- {pause_times} are the times, in milliseconds and ascending, at which a pause of any campaign begins or ends.
-- The rules are those of docs/contract/web-report.md and Queries: a session's touch is that of its first event; at
-- equal milliseconds a touch comes first, then the smaller event_id.
INSERT INTO adtrail.web_visitors (
  project_id, visitor_id, first_day, last_day,
  `element.day`, `element.session`, `element.last_touch`, `element.first_touch`, `element.pause_time`,
  `element.page_views`,
  `conversion.day`, `conversion.last_touch`, `conversion.first_touch`, `conversion.pause_time`,
  `conversion.is_signup`, `conversion.user`, `conversion.revenue`,
  `event.day`, `event.last_touch`, `event.first_touch`, `event.pause_time`, `event.name`, `event.count`,
  `hit.time`, `hit.session`, `hit.last_touch`, `hit.first_touch`, `hit.pause_time`, `hit.kind`, `hit.name`,
  `hit.revenue`, `hit.session_ms`, `hit.bounced`, `hit.country`, `hit.device_type`, `hit.os_name`, `hit.browser_name`,
  hit_pages, hit_referrers, hit_landing_pages, hit_exit_pages,
  version
)
WITH
  url -> leftUTF8(concat(lower(domain(url)), if(path(url) = '', '/', path(url))), 500) AS page_of,
  -- One row per event.
  hits AS (
    SELECT
      project_id, visitor_id, session_id, time, touch = 0 AS is_direct, event_id, touch,
      multiIf(type = 'page_view', 1, is_signup, 2, is_purchase, 3, 0) AS kind,
      user_id, ifNull(web_events.revenue, 0) AS revenue, name, url, referrer, country, device_type, os_name,
      browser_name
    FROM adtrail.web_events FINAL
    WHERE NOT is_bot AND (project_id, visitor_id) IN (
      SELECT project_id, visitor_id
      FROM adtrail.web_visitor_batches
      WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
    )
  ),

  -- One row per session, with its events in the order in which the first of them is looked for. Not in one step with
  -- the events: a shard would group without the names of the fields.
  sessions AS (
    SELECT
      project_id, visitor_id,
      arraySort(e -> (e.time, e.is_direct, e.event_id), groupArray((
        time, is_direct, event_id, touch, kind, user_id, revenue, name, url, referrer, country, device_type, os_name,
        browser_name
      ))) AS by_time
    FROM hits
    GROUP BY project_id, visitor_id, session_id
  ),

  -- The same, with what is known of each.
  visits AS (
    SELECT
      project_id, visitor_id, by_time, by_time[1] AS first,
      (first.time, first.is_direct, first.event_id) AS place,
      arrayFirst((url, kind) -> kind = 1, by_time.url, by_time.kind) AS landing_url,
      arrayLast((url, kind) -> kind = 1, by_time.url, by_time.kind) AS exit_url,
      (
        toUInt64(toUnixTimestamp64Milli(by_time[-1].time) - toUnixTimestamp64Milli(first.time)) AS ms,
        length(by_time) = 1 AS bounced,
        first.country AS country, first.device_type AS device_type, first.os_name AS os_name,
        first.browser_name AS browser_name,
        -- Within its own site nobody comes from anywhere.
        if(domainWithoutWWW(first.referrer) = domainWithoutWWW(first.url), '', leftUTF8(concat(
          lower(domainWithoutWWW(first.referrer)), if(path(first.referrer) = '/', '', path(first.referrer))), 500))
          AS referrer,
        if(landing_url = '', '', page_of(landing_url)) AS landing_page,
        if(exit_url = '', '', page_of(exit_url)) AS exit_page
      ) AS visit
    FROM sessions
  ),

  -- One row per visitor, with the sessions in the order of their first events: their place is their number.
  visitors AS (
    SELECT
      project_id, visitor_id,
      arraySort(s -> s.place, groupArray((place AS place, by_time AS by_time, visit AS visit))) AS ordered
    FROM visits
    GROUP BY project_id, visitor_id
  ),

  -- The events of all sessions in the order in which touches are credited. new_touch is set at the first event of a
  -- session.
  histories AS (
    SELECT
      project_id, visitor_id,
      arraySort(e -> (e.time, e.new_touch = 0, e.event_id), arrayFlatten(arrayMap(
        (by_time, visit, session) -> arrayMap((e, nth) -> (
          e.time AS time, e.event_id AS event_id, if(nth = 1, e.touch, 0) AS new_touch, session AS session,
          e.kind AS kind, e.user_id AS user_id, e.revenue AS revenue, e.name AS name, e.url AS url, visit AS visit
        ), by_time, arrayEnumerate(by_time)),
        ordered.by_time, ordered.visit, arrayEnumerate(ordered)
      ))) AS events,
      -- Not by index: an array that an element refers to would be copied for each of them.
      arrayFill(touch -> touch != 0, events.new_touch) AS last_touches,
      arrayFirst(touch -> touch != 0, events.new_touch) AS earliest_touch
    FROM visitors
  ),

  -- The same, each list as long as events. Events of one element have one number.
  credited AS (
    SELECT
      project_id, visitor_id, events, last_touches,
      arrayMap(touch -> if(touch = 0, 0, earliest_touch), last_touches) AS first_touches,
      arrayMap(time -> toDate(time, 'Asia/Kolkata'), events.time) AS days,
      arrayMap(time -> arrayLast(pause -> pause <= toUnixTimestamp64Milli(time), {pause_times:Array(UInt64)}),
        events.time) AS pauses,
      arrayEnumerateDense(days, events.session, last_touches, pauses) AS elements,
      arrayMap(nth -> nth = 1, arrayEnumerateUniq(elements)) AS begins_element,
      arrayMap(kind -> kind IN (2, 3), events.kind) AS converts,
      arrayMap(kind -> kind != 1, events.kind) AS is_named,
      -- Names are told apart within an element.
      arrayFilter((element, is) -> is, elements, is_named) AS named_elements,
      arrayFilter((name, is) -> is, events.name, is_named) AS names,
      arrayEnumerateDense(named_elements, names) AS named_groups,
      arrayMap(nth -> nth = 1, arrayEnumerateUniq(named_groups)) AS begins_named
    FROM histories
  )

SELECT
  project_id, visitor_id, arrayMin(days), arrayMax(days),
  arrayFilter((day, begins) -> begins, days, begins_element),
  arrayFilter((session, begins) -> begins, events.session, begins_element),
  arrayFilter((touch, begins) -> begins, last_touches, begins_element),
  arrayFilter((touch, begins) -> begins, first_touches, begins_element),
  arrayFilter((pause, begins) -> begins, pauses, begins_element),
  -- One more for each element, since sumMap leaves out what is zero.
  arrayMap(views -> views - 1, mapValues(arrayReduce('sumMap', arrayMap(
    (element, kind, begins) -> map(element, toUInt64(kind = 1) + begins), elements, events.kind, begins_element)))),
  arrayFilter((day, is) -> is, days, converts),
  arrayFilter((touch, is) -> is, last_touches, converts),
  arrayFilter((touch, is) -> is, first_touches, converts),
  arrayFilter((pause, is) -> is, pauses, converts),
  arrayMap(kind -> kind = 2, arrayFilter((kind, is) -> is, events.kind, converts)),
  arrayMap(user -> reinterpretAsUInt128(sipHash128(if(user = '', visitor_id, user))),
    arrayFilter((user, is) -> is, events.user_id, converts)),
  arrayMap((revenue, kind) -> if(kind = 3, revenue, 0), arrayFilter((revenue, is) -> is, events.revenue, converts),
    arrayFilter((kind, is) -> is, events.kind, converts)),
  arrayFilter((day, begins) -> begins, arrayFilter((day, is) -> is, days, is_named), begins_named),
  arrayFilter((touch, begins) -> begins, arrayFilter((touch, is) -> is, last_touches, is_named), begins_named),
  arrayFilter((touch, begins) -> begins, arrayFilter((touch, is) -> is, first_touches, is_named), begins_named),
  arrayFilter((pause, begins) -> begins, arrayFilter((pause, is) -> is, pauses, is_named), begins_named),
  arrayFilter((name, begins) -> begins, names, begins_named),
  mapValues(arrayReduce('sumMap', arrayMap(one -> map(one, toUInt64(1)), named_groups))),
  arrayMap(time -> toDateTime(time, 'UTC'), events.time), events.session, last_touches, first_touches, pauses,
  events.kind, events.name, arrayMap((revenue, kind) -> if(kind = 3, revenue, 0), events.revenue, events.kind),
  events.visit.ms, events.visit.bounced, events.visit.country, events.visit.device_type, events.visit.os_name,
  events.visit.browser_name,
  arrayMap(url -> page_of(url), events.url), events.visit.referrer, events.visit.landing_page,
  events.visit.exit_page,
  {run_id:UInt64}
FROM credited
SETTINGS enable_named_columns_in_function_tuple = 1
