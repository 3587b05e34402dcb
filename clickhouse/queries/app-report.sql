-- name: names
-- One row per event name or revenue type, of those asked for, that the project ever received. Table:
-- adtrail.event_names.
SELECT DISTINCT kind, name
FROM adtrail.event_names
WHERE project_id = {project_id:UInt32}
  AND (
    (kind = 'event' AND name IN {events:Array(String)})
    OR (kind = 'payment' AND name IN {payments:Array(String)})
  );

-- name: clicks-since
-- One row per campaign with tracked clicks between {active_since} and the end of that day in the project's time zone:
-- the part of a day that adtrail.daily_clicks, which has whole days only, cannot tell. Table: adtrail.clicks.
SELECT campaign_id, count() AS clicks
FROM adtrail.clicks FINAL
WHERE project_id = {project_id:UInt32}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND click_time >= fromUnixTimestamp64Milli({active_since:Int64})
  AND toDate(click_time, {timezone:String}) < {active_from:Date}
  -- No day is longer than 26 hours; the key of the table can use this condition.
  AND click_time < fromUnixTimestamp64Milli({active_since:Int64}) + INTERVAL 26 HOUR
  AND ({platform:String} = '' OR platform = {platform:String})
GROUP BY campaign_id;
