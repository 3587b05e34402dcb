-- Step event_sums. One row per touch: how often each of {events} was credited to it on the days of the report, which
-- are those of Asia/Kolkata. Table: adtrail.web_visitors. Function: row_of.
SELECT touch, sumMap(map(toString(name), toUInt64(times))) AS event_counts
FROM (
  SELECT
    if({attribution:String} = 'last_touch', `event.last_touch`, `event.first_touch`) AS credited_touches,
    `event.name` AS name_list,
    `event.count` AS time_list,
    arrayMap(
      (touch, day, pause_time, name) -> if(has({events:Array(String)}, name), row_of(touch, day, pause_time), 0),
      credited_touches, `event.day`, `event.pause_time`, name_list) AS credited_rows
  FROM adtrail.web_visitors FINAL
  WHERE project_id = {project_id:UInt32}
    AND last_day >= {from:Date} AND first_day <= {to:Date}
    AND hasAny(`event.name`, {events:Array(String)})
)
ARRAY JOIN credited_touches AS touch, credited_rows AS row, name_list AS name, time_list AS times
WHERE row != 0
GROUP BY touch
