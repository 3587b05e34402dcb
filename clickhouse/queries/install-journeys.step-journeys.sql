-- One row per journey with its own events. An install has all events of its root; a reinstall or re-engagement has
-- those from its start until the start of the next one.
SELECT
  project_id, root_install, platform, known_user, journey,
  toDate(journey.start_time, {timezone:String}) AS start_day,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, all_events) AS own_events,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, signups) AS own_signups,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, uninstalls) AS own_uninstalls,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, money) AS own_money,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, named) AS own_named,
  arrayFilter(e -> e.time >= from_time AND e.time < to_time, priced) AS own_priced,
  -- Days with activity, counted from the start day.
  arrayDistinct(arrayMap(e -> toInt32(e.day) - toInt32(start_day),
    arrayFilter(e -> e.is_activity AND e.day > start_day, own_events))) AS active
FROM episodes_by_root
ARRAY JOIN
  arrayConcat(first_installs, episodes) AS journey,
  arrayConcat(arrayMap(_ -> toDateTime64('1900-01-01 00:00:00', 3, 'UTC'), first_installs),
    episodes.start_time) AS from_time,
  arrayConcat(arrayMap(_ -> toDateTime64('2299-01-01 00:00:00', 3, 'UTC'), first_installs),
    arrayShiftLeft(episodes.start_time, 1, toDateTime64('2299-01-01 00:00:00', 3, 'UTC'))) AS to_time
