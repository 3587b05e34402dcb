-- Function key_of of the statements of an app query: what a row is grouped by. A dimension that is not asked for is the
-- same for all rows, and what it would need is not read. `day` is the day of what is counted, `hour` its hour,
-- `start_day` the day on which the journey began, `day_n` the days between both. Days of a compared range stand for
-- those of the range that it is compared with.
(
  campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
  app_version, day, hour, start_day, day_n
) -> tuple(
  if(has({dimensions:Array(String)}, 'campaign'), campaign, ''),
  if(has({dimensions:Array(String)}, 'network'), network, ''),
  if(has({dimensions:Array(String)}, 'partner'), partner, ''),
  if(has({dimensions:Array(String)}, 'channel'), channel, ''),
  if(has({dimensions:Array(String)}, 'ad_set'), ad_set, ''),
  if(has({dimensions:Array(String)}, 'ad'), ad, ''),
  if(has({dimensions:Array(String)}, 'keyword'), keyword, ''),
  if(has({dimensions:Array(String)}, 'platform'), platform, ''),
  if(has({dimensions:Array(String)}, 'country'), country, ''),
  if(has({dimensions:Array(String)}, 'touch_type'), touch_type, ''),
  if(has({dimensions:Array(String)}, 'app'), app, ''),
  if(has({dimensions:Array(String)}, 'rule'), rule, ''),
  if(has({dimensions:Array(String)}, 'os_version'), os_version, ''),
  if(has({dimensions:Array(String)}, 'app_version'), app_version, ''),
  if(has({dimensions:Array(String)}, 'day') OR has({dimensions:Array(String)}, 'hour'), moved(day), toDate(0)),
  if(has({dimensions:Array(String)}, 'week'), toMonday(moved(day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'month'), toStartOfMonth(moved(day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'hour'), hour, toUInt8(0)),
  if(has({dimensions:Array(String)}, 'install_day'), moved(start_day), toDate(0)),
  if(has({dimensions:Array(String)}, 'install_week'), toMonday(moved(start_day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'install_month'), toStartOfMonth(moved(start_day)), toDate(0)),
  if(has({dimensions:Array(String)}, 'day_n'), toUInt16(day_n), toUInt16(0))
)
