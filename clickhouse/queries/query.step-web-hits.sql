-- Step hits of web queries. One row per visitor with lists as long as its events: what each of them is credited to,
-- what it may be grouped by, by the days of the project's time zone, and a number for what it is grouped by, 0 for
-- what does not count. What is not asked for is not read: it stands in an if with a constant condition. Functions:
-- row_of, hit_key_of, number_of, asks, passes. Table: adtrail.web_visitors.
SELECT
  `hit.session` AS sessions, `hit.kind` AS kinds, `hit.name` AS names, `hit.revenue` AS revenues,
  `hit.session_ms` AS session_lengths, `hit.bounced` AS bounces,
  if({model:String} = 'last_touch', `hit.last_touch`, `hit.first_touch`) AS credited_touches,
  arrayMap(time -> toDate(time, {timezone:String}), `hit.time`) AS days,
  if(asks('hour'), arrayMap(time -> toUInt8(toHour(time, {timezone:String})), `hit.time`),
    arrayWithConstant(length(`hit.time`), toUInt8(0))) AS hours,
  arrayWithConstant(length(`hit.time`), '') AS nothing,
  -- Pages are gone once they were blanked.
  if(asks('page'), arrayResize(hit_pages, length(`hit.time`)), nothing) AS pages,
  if(asks('referrer'), arrayResize(hit_referrers, length(`hit.time`)), nothing) AS referrers,
  if(asks('landing_page'), arrayResize(hit_landing_pages, length(`hit.time`)), nothing) AS landing_pages,
  if(asks('exit_page'), arrayResize(hit_exit_pages, length(`hit.time`)), nothing) AS exit_pages,
  if(asks('country'), CAST(`hit.country`, 'Array(String)'), nothing) AS countries,
  if(asks('device'), CAST(`hit.device_type`, 'Array(String)'), nothing) AS devices,
  if(asks('browser'), CAST(`hit.browser_name`, 'Array(String)'), nothing) AS browsers,
  if(asks('os'), CAST(`hit.os_name`, 'Array(String)'), nothing) AS systems,
  arrayMap((touch, day, pause_time) -> row_of(touch, day, pause_time), credited_touches, days, `hit.pause_time`)
    AS all_rows,
  if(hasAny({filter_dimensions:Array(String)}, ['page', 'referrer', 'landing_page', 'exit_page', 'country', 'device',
      'browser', 'os']),
    arrayMap((row, page, referrer, landing_page, exit_page, country, device, browser, os) -> if(
        passes('page', page) AND passes('referrer', referrer) AND passes('landing_page', landing_page)
          AND passes('exit_page', exit_page) AND passes('country', country) AND passes('device', device)
          AND passes('browser', browser) AND passes('os', os), row, 0),
      all_rows, pages, referrers, landing_pages, exit_pages, countries, devices, browsers, systems),
    all_rows) AS rows,
  if(hasAny({dimensions:Array(String)}, ['page', 'referrer', 'landing_page', 'exit_page', 'country', 'device',
      'browser', 'os', 'day', 'week', 'month', 'hour']),
    arrayMap((row, page, referrer, landing_page, exit_page, country, device, browser, os, day, hour) ->
        number_of(row, hit_key_of(page, referrer, landing_page, exit_page, country, device, browser, os, day, hour)),
      rows, pages, referrers, landing_pages, exit_pages, countries, devices, browsers, systems, days, hours),
    arrayMap(row -> toUInt128(row), rows)) AS groups
FROM adtrail.web_visitors FINAL
-- Days of other time zones end up to a day earlier or later.
WHERE project_id = {project_id:UInt32}
  AND last_day >= subtractDays({from:Date}, 1) AND first_day <= addDays({to:Date}, 1)
