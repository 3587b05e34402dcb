-- Function hit_key_of of web queries: what a row is grouped by of what is known of an event and its session. A
-- dimension that is not asked for is the same for all rows. Days of a compared range stand for those of the range that
-- it is compared with.
(page, referrer, landing_page, exit_page, country, device, browser, os, day, hour) -> tuple(
  if(has({dimensions:Array(String)}, 'page'), page, ''),
  if(has({dimensions:Array(String)}, 'referrer'), referrer, ''),
  if(has({dimensions:Array(String)}, 'landing_page'), landing_page, ''),
  if(has({dimensions:Array(String)}, 'exit_page'), exit_page, ''),
  if(has({dimensions:Array(String)}, 'country'), country, ''),
  if(has({dimensions:Array(String)}, 'device'), device, ''),
  if(has({dimensions:Array(String)}, 'browser'), browser, ''),
  if(has({dimensions:Array(String)}, 'os'), os, ''),
  if(has({dimensions:Array(String)}, 'day') OR has({dimensions:Array(String)}, 'hour'), moved(day), toDate(0)),
  if(has({dimensions:Array(String)}, 'week'), toMonday(moved(day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'month'), toStartOfMonth(moved(day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'hour'), toUInt8(hour), toUInt8(0))
)
