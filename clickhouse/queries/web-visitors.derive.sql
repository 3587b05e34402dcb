-- Writes a row for each visitor of a part of run {run_id}: from all events of that visitor, each once, without those of
-- bots. It replaces the earlier row of the visitor.
-- {pause_times} are the times, in milliseconds and ascending, at which a pause of any campaign begins or ends.
-- The rules are those of docs/contract.md, Web report: a session's touch is that of its first event; at equal
-- milliseconds a touch comes first, then the smaller event_id.
INSERT INTO adtrail.web_visitors (
  project_id, visitor_id, first_day, last_day,
  `element.day`, `element.session`, `element.last_touch`, `element.first_touch`, `element.pause_time`,
  `element.page_views`,
  `conversion.day`, `conversion.last_touch`, `conversion.first_touch`, `conversion.pause_time`,
  `conversion.is_signup`, `conversion.user`, `conversion.revenue`,
  `event.day`, `event.last_touch`, `event.first_touch`, `event.pause_time`, `event.name`, `event.count`,
  version
)
WITH
  -- One row per visitor, with the events in the order in which the first event of a session is looked for.
  visitors AS (
    SELECT
      project_id, visitor_id,
      arraySort(e -> (e.time, e.is_direct, e.event_id), groupArray((
        time, touch = 0 AS is_direct, event_id, session_id, touch, is_signup, is_purchase,
        type = 'page_view' AS is_page_view, user_id, revenue, name
      ))) AS by_time
    FROM adtrail.web_events FINAL
    WHERE NOT is_bot AND (project_id, visitor_id) IN (
      SELECT project_id, visitor_id
      FROM adtrail.web_visitor_batches
      WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
    )
    GROUP BY project_id, visitor_id
  ),

  -- The same events in the order in which touches are credited. new_touch is set at the first event of a session.
  histories AS (
    SELECT
      project_id, visitor_id,
      arrayMap((e, nth) -> if(nth = 1, e.touch, 0), by_time, arrayEnumerateUniq(by_time.session_id)) AS new_touches,
      arraySort(e -> (e.time, e.new_touch = 0, e.event_id), arrayMap(
        (e, new_touch, session) -> (
          e.time AS time, e.event_id AS event_id, new_touch, session, e.is_signup AS is_signup,
          e.is_purchase AS is_purchase, e.is_page_view AS is_page_view, e.user_id AS user_id, e.revenue AS revenue,
          e.name AS name
        ), by_time, new_touches, arrayEnumerateDense(by_time.session_id)
      )) AS events,
      -- Not by index: an array that an element refers to would be copied for each of them.
      arrayFill(touch -> touch != 0, events.new_touch) AS last_touches,
      arrayFirst(touch -> touch != 0, events.new_touch) AS earliest_touch
    FROM visitors
  ),

  -- One row per event.
  credited AS (
    SELECT
      project_id, visitor_id,
      toDate(event.time, 'Asia/Kolkata') AS day,
      event.session AS session,
      last_touch,
      if(last_touch = 0, 0, earliest_touch) AS first_touch,
      arrayLast(pause -> pause <= toUnixTimestamp64Milli(event.time), {pause_times:Array(UInt64)}) AS pause_time,
      event.is_signup AS is_signup,
      event.is_purchase AS is_purchase,
      event.is_page_view AS is_page_view,
      reinterpretAsUInt128(sipHash128(if(event.user_id = '', visitor_id, event.user_id))) AS user,
      if(is_purchase, ifNull(event.revenue, 0), toDecimal128(0, 9)) AS revenue,
      event.name AS name
    FROM histories
    ARRAY JOIN events AS event, last_touches AS last_touch
  ),

  elements AS (
    SELECT
      project_id, visitor_id, day, session, last_touch, first_touch, pause_time,
      countIf(is_page_view) AS page_views,
      groupArrayIf((is_signup, user, revenue), is_signup OR is_purchase) AS conversions,
      sumMapIf(map(name, toUInt32(1)), NOT is_page_view) AS counts,
      mapKeys(counts) AS names
    FROM credited
    GROUP BY project_id, visitor_id, day, session, last_touch, first_touch, pause_time
  )

SELECT
  project_id, visitor_id, min(day), max(day),
  groupArray(day), groupArray(session), groupArray(last_touch), groupArray(first_touch), groupArray(pause_time),
  groupArray(page_views),
  arrayFlatten(groupArray(arrayMap(_ -> day, conversions))),
  arrayFlatten(groupArray(arrayMap(_ -> last_touch, conversions))),
  arrayFlatten(groupArray(arrayMap(_ -> first_touch, conversions))),
  arrayFlatten(groupArray(arrayMap(_ -> pause_time, conversions))),
  arrayFlatten(groupArray(conversions.is_signup)),
  arrayFlatten(groupArray(conversions.user)),
  arrayFlatten(groupArray(conversions.revenue)),
  arrayFlatten(groupArray(arrayMap(_ -> day, names))),
  arrayFlatten(groupArray(arrayMap(_ -> last_touch, names))),
  arrayFlatten(groupArray(arrayMap(_ -> first_touch, names))),
  arrayFlatten(groupArray(arrayMap(_ -> pause_time, names))),
  arrayFlatten(groupArray(names)),
  arrayFlatten(groupArray(mapValues(counts))),
  {run_id:UInt64}
FROM elements
GROUP BY project_id, visitor_id
SETTINGS enable_named_columns_in_function_tuple = 1
