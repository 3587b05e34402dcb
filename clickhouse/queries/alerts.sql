-- name: click
-- One row: when clicks of a project were received last, in milliseconds, after {since} and up to {until}; 0 for never.
-- Imported ones do not count. Of one partner or campaign where they are not 0. Table: adtrail.clicks.
SELECT toUnixTimestamp64Milli(max(received_at)) AS last
FROM adtrail.clicks
WHERE project_id = {project_id:UInt32} AND kind != 'import'
  AND bucket >= toDate(fromUnixTimestamp64Milli({since:Int64}, 'UTC')) - 1
  AND received_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND received_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
  AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
  AND ({campaign_id:UInt32} = 0 OR campaign_id = {campaign_id:UInt32});

-- name: impression
-- The same of impressions. Table: adtrail.impressions.
SELECT toUnixTimestamp64Milli(max(received_at)) AS last
FROM adtrail.impressions
WHERE project_id = {project_id:UInt32}
  AND bucket >= toDate(fromUnixTimestamp64Milli({since:Int64}, 'UTC')) - 1
  AND received_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND received_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
  AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
  AND ({campaign_id:UInt32} = 0 OR campaign_id = {campaign_id:UInt32});

-- name: ctv_impression
-- The same of CTV impressions. Table: adtrail.ctv_impressions.
SELECT toUnixTimestamp64Milli(max(received_at)) AS last
FROM adtrail.ctv_impressions
WHERE project_id = {project_id:UInt32}
  AND bucket >= toDate(fromUnixTimestamp64Milli({since:Int64}, 'UTC')) - 1
  AND received_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND received_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
  AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
  AND ({campaign_id:UInt32} = 0 OR campaign_id = {campaign_id:UInt32});

-- name: app_event
-- The same of app events of a project, by when they were stored, which the projection by_arrival finds. Table:
-- adtrail.app_events.
SELECT toUnixTimestamp64Milli(max(stored_at)) AS last
FROM adtrail.app_events
WHERE project_id = {project_id:UInt32}
  AND stored_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND stored_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC');

-- name: web_event
-- The same of web events. Table: adtrail.web_events.
SELECT toUnixTimestamp64Milli(max(stored_at)) AS last
FROM adtrail.web_events
WHERE project_id = {project_id:UInt32}
  AND stored_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND stored_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC');

-- name: refusals
-- One row per reason: how many S2S requests for a project were refused by it in {hours} hours from {from}, and in the
-- same hours of the day before. Of one partner where it is not 0. Table: adtrail.s2s_requests.
SELECT
  outcome AS reason,
  sumIf(requests, hour >= toDateTime({from:UInt32}, 'UTC')) AS refused,
  sumIf(requests, hour < toDateTime({from:UInt32}, 'UTC')) AS refused_before
FROM adtrail.s2s_requests FINAL
WHERE project_id = {project_id:UInt32} AND outcome != 'accepted'
  AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
  AND (
    hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({from:UInt32}, 'UTC') + {hours:UInt32} * 3600
    OR hour >= toDateTime({from:UInt32}, 'UTC') - 86400
      AND hour < toDateTime({from:UInt32}, 'UTC') - 86400 + {hours:UInt32} * 3600
  )
GROUP BY reason
ORDER BY reason;

-- name: received-by-hour
-- One row per hour from {from} on, in milliseconds, in which a project received something of {kind}: the hour, in
-- seconds, and how much. A record counts once, when it came first, whether or not its repeats are merged away.
-- Imported clicks do not count. Of one partner or campaign where they are not 0, which events of apps and browsers do
-- not name. Only the table of the kind is read.
SELECT toUnixTimestamp(toStartOfHour(first_at)) AS hour, count() AS amount, '' AS value
FROM (
  SELECT min(at) AS first_at
  FROM (
    SELECT received_at AS at, click_id AS record
    FROM adtrail.clicks
    WHERE {kind:String} = 'click' AND project_id = {project_id:UInt32} AND kind != 'import'
      AND bucket >= toDate(fromUnixTimestamp64Milli({from:Int64}, 'UTC')) - 1
      AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
      AND ({campaign_id:UInt32} = 0 OR campaign_id = {campaign_id:UInt32})
    UNION ALL
    SELECT received_at AS at, impression_id AS record
    FROM adtrail.impressions
    WHERE {kind:String} = 'impression' AND project_id = {project_id:UInt32}
      AND bucket >= toDate(fromUnixTimestamp64Milli({from:Int64}, 'UTC')) - 1
      AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
      AND ({campaign_id:UInt32} = 0 OR campaign_id = {campaign_id:UInt32})
    UNION ALL
    SELECT received_at AS at, impression_id AS record
    FROM adtrail.ctv_impressions
    WHERE {kind:String} = 'ctv_impression' AND project_id = {project_id:UInt32}
      AND bucket >= toDate(fromUnixTimestamp64Milli({from:Int64}, 'UTC')) - 1
      AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
      AND ({campaign_id:UInt32} = 0 OR campaign_id = {campaign_id:UInt32})
    UNION ALL
    SELECT stored_at AS at, id AS record
    FROM adtrail.app_events
    WHERE {kind:String} = 'app_event' AND project_id = {project_id:UInt32}
      AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    UNION ALL
    SELECT stored_at AS at, id AS record
    FROM adtrail.web_events
    WHERE {kind:String} = 'web_event' AND project_id = {project_id:UInt32}
      AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  )
  GROUP BY record
)
GROUP BY hour
ORDER BY hour;

-- name: refused-by-hour
-- One row per hour from {from} on, in milliseconds, and reason for which S2S requests for a project were refused: the
-- hour, in seconds, and how many. Of one partner where it is not 0; of one reason where it is not empty, else of those
-- five that were the most. Table: adtrail.s2s_requests.
WITH refused AS (
  SELECT hour, outcome, sum(requests) AS amount
  FROM adtrail.s2s_requests FINAL
  WHERE project_id = {project_id:UInt32} AND outcome != 'accepted'
    AND hour >= toDateTime(intDiv({from:Int64}, 1000), 'UTC')
    AND ({partner_id:UInt32} = 0 OR partner_id = {partner_id:UInt32})
    AND ({reason:String} = '' OR outcome = {reason:String})
  GROUP BY hour, outcome
)
SELECT toUnixTimestamp(hour) AS hour, amount, outcome AS value
FROM refused
WHERE outcome IN (SELECT outcome FROM refused GROUP BY outcome ORDER BY sum(amount) DESC, outcome LIMIT 5)
ORDER BY hour, value;
