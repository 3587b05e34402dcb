-- Function row_of in projects with paused campaigns: the number of the row to which something credited to a touch
-- counts; 0 for none, and while the campaign of the touch was paused. pause_time is the latest beginning or end of any
-- pause up to then.
(touch, day, pause_time) -> if(
  day BETWEEN {from:Date} AND {to:Date}
  AND NOT arrayExists(
    (begins_at, ends_at) -> pause_time >= begins_at AND pause_time < ends_at,
    {pause_begins:Array(Array(UInt64))}[transform(touch, paused_touch_list, pauses_list, toUInt64(0))],
    {pause_ends:Array(Array(UInt64))}[transform(touch, paused_touch_list, pauses_list, toUInt64(0))]),
  transform(touch, touch_list, row_list, toUInt64(0)),
  0)
