-- Function row_of: the number of the row to which something credited to a touch counts; 0 for none.
(touch, day, pause_time) ->
  if(day BETWEEN {from:Date} AND {to:Date}, transform(touch, touch_list, row_list, toUInt64(0)), 0)
