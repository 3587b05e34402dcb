-- Function time_key_of of app queries: what a row is grouped by of times. A dimension that is not asked for is the same
-- for all rows. Days of a compared range stand for those of the range that it is compared with. Function: moved.
(day, hour, start_day, day_n) -> tuple(
  if(has({dimensions:Array(String)}, 'day') OR has({dimensions:Array(String)}, 'hour'), moved(day), toDate(0)),
  if(has({dimensions:Array(String)}, 'week'), toMonday(moved(day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'month'), toStartOfMonth(moved(day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'hour'), hour, toUInt8(0)),
  if(has({dimensions:Array(String)}, 'install_day'), moved(start_day), toDate(0)),
  if(has({dimensions:Array(String)}, 'install_week'), toMonday(moved(start_day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'install_month'), toStartOfMonth(moved(start_day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'day_n'), toUInt16(day_n), toUInt16(0))
)
