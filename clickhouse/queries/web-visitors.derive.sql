-- Writes a row for each visitor after {after}, up to {up_to} unless that is empty, of whom something has arrived:
-- from all events of that visitor, each once, without those of bots. Replaces the visitor's former row. {pause_times}
-- are the instants, in milliseconds and ascending, from which on a pause of any campaign holds or no longer holds.
-- The rules are those of docs/contract.md, Web report: a session's touch is that of its first event; at equal
-- milliseconds a touch comes first, then the smaller event_id.
INSERT INTO adtrail.web_visitors
WITH
  visitor_events AS (
    SELECT
      project_id, visitor_id,
      -- In the order in which the first event of a session is looked for.
      arraySort(event -> (event.1, event.2, event.3),
        groupArray((time, touch = 0, event_id, session_id, touch, is_signup, is_purchase, type = 'page_view', user_id,
        revenue, name))) AS by_time,
      arrayMap((event, nth) -> nth = 1 AND event.5 != 0, by_time, arrayEnumerateUniq(by_time.4)) AS is_touch,
      -- In the order in which touches are credited.
      arraySort(event -> (event.1, NOT event.3, event.2),
        arrayMap((event, begins, session) -> (event.1, event.3, begins, session, event.5, event.6, event.7, event.8,
        event.9, event.10, event.11), by_time, is_touch, arrayEnumerateDense(by_time.4))) AS ordered,
      arrayMap(event -> if(event.3, event.5, 0), ordered) AS begun,
      -- Not by index: an array that an element refers to would be copied for each of them.
      arrayFill(touch -> touch != 0, begun) AS last_touches,
      arrayFirst(touch -> touch != 0, begun) AS earliest_touch
    FROM adtrail.web_events FINAL
    WHERE NOT is_bot
      AND visitor_id > {after:String} AND ({up_to:String} = '' OR visitor_id <= {up_to:String})
      AND (
    {everybody:Bool}
    OR (project_id, visitor_id) IN (
      SELECT project_id, visitor_id
      FROM adtrail.web_events
      WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
        AND ({all:Bool} OR toUnixTimestamp64Milli(stored_at) IN {insert_times:Array(Int64)})
      UNION ALL
      SELECT project_id, visitor_id FROM adtrail.web_events WHERE id IN {repeats:Array(UUID)}
    )
  )
    GROUP BY project_id, visitor_id
  ),
  credited AS (
    SELECT
      project_id, visitor_id,
      toDate(event.1, 'Asia/Kolkata') AS day,
      event.4 AS session,
      last_touch,
      if(last_touch = 0, 0, earliest_touch) AS first_touch,
      arrayLast(pause -> pause <= toUnixTimestamp64Milli(event.1), {pause_times:Array(UInt64)}) AS pause_time,
      event.6 AS is_signup,
      event.7 AS is_purchase,
      event.8 AS is_page_view,
      if(event.9 = '', visitor_id, event.9) AS user,
      ifNull(event.10, 0) AS revenue,
      event.11 AS name
    FROM visitor_events
    ARRAY JOIN ordered AS event, last_touches AS last_touch
  ),
  elements AS (
    SELECT
      project_id, visitor_id, day, session, last_touch, first_touch, pause_time,
      countIf(is_page_view) AS page_views,
      groupArrayIf((is_signup, reinterpretAsUInt128(sipHash128(user)), if(is_purchase, revenue, toDecimal128(0, 9))),
        is_signup OR is_purchase) AS conversions,
      sumMapIf([name], [toUInt32(1)], NOT is_page_view) AS names
    FROM credited
    GROUP BY ALL
  )
SELECT
  project_id, visitor_id, min(day), max(day),
  groupArray(day), groupArray(session), groupArray(last_touch), groupArray(first_touch), groupArray(pause_time),
    groupArray(page_views),
  arrayFlatten(groupArray(arrayMap(_ -> day, conversions))),
  arrayFlatten(groupArray(arrayMap(_ -> last_touch, conversions))),
  arrayFlatten(groupArray(arrayMap(_ -> first_touch, conversions))),
  arrayFlatten(groupArray(arrayMap(_ -> pause_time, conversions))),
  arrayFlatten(groupArray(conversions.1)),
  arrayFlatten(groupArray(conversions.2)),
  arrayFlatten(groupArray(conversions.3)),
  arrayFlatten(groupArray(arrayMap(_ -> day, names.1))),
  arrayFlatten(groupArray(arrayMap(_ -> last_touch, names.1))),
  arrayFlatten(groupArray(arrayMap(_ -> first_touch, names.1))),
  arrayFlatten(groupArray(arrayMap(_ -> pause_time, names.1))),
  arrayFlatten(groupArray(names.1)),
  arrayFlatten(groupArray(names.2)),
  {version:UInt64}
FROM elements
GROUP BY project_id, visitor_id
