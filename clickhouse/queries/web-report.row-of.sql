-- Function row_of: the number of the row to which something credited to a touch counts; 0 for none. Step: lookup.
(touch, day, pause_time) -> if(
  day BETWEEN {from:Date} AND {to:Date},
  transform(touch, (SELECT touch_list FROM lookup), (SELECT row_list FROM lookup), toUInt64(0)),
  0)
