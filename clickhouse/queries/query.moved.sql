-- Function moved of queries: the day that a day of a compared range stands for.
day -> if({moved_days:Int32} = 0 AND {moved_years:Int32} = 0,
  day, toDate(addYears(addDays(day, {moved_days:Int32}), {moved_years:Int32})))
