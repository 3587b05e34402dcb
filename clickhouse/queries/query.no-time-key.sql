-- Function time_key_of of app queries that group by no time.
(day, hour, start_day, day_n) ->
  tuple(toDate(0), toDate(0), toDate(0), toUInt8(0), toDate(0), toDate(0), toDate(0), toUInt16(0))
