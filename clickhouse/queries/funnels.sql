-- name: step-members
-- One row per decided install of the project: what it is grouped and filtered by, and what that is called.
SELECT
  decided.install_id AS install_id,
  map(
    'campaign', if(decided.campaign_id = 0, 'organic', campaigns.display_id),
    'network', campaigns.network_code,
    'partner', campaigns.partner_name,
    'channel', if(campaigns.custom_channel != '', toString(campaigns.custom_channel), campaigns.network_code),
    'country', origins.country,
    'platform', toString(decided.platform)
  ) AS values,
  map('campaign', if(decided.campaign_id = 0, 'Organic', campaigns.name)) AS names
FROM (
  SELECT install_id, campaign_id, platform
  FROM adtrail.installs FINAL
  WHERE project_id = {project_id:UInt32} AND is_deleted = 0
) AS decided
LEFT ANY JOIN (
  SELECT
    campaign_id, display_id, name, partner_name, custom_channel,
    if(network != '', lower(toString(network)), lower(replaceAll(partner_name, ' ', '_'))) AS network_code
  FROM adtrail.campaigns FINAL
  WHERE project_id = {project_id:UInt32}
) AS campaigns ON decided.campaign_id = campaigns.campaign_id
LEFT ANY JOIN (
  SELECT install_id, toString(country) AS country
  FROM adtrail.app_events FINAL
  WHERE {uses_country:Bool} AND project_id = {project_id:UInt32} AND type = 'install'
) AS origins ON decided.install_id = origins.install_id;

-- name: step-chosen
-- One row per install that passes the filters, with the group that it counts in. Values are compared in any case.
SELECT
  install_id,
  arrayMap(name -> values[name], {dimensions:Array(String)}) AS dimensions,
  arrayMap(name -> if(mapContains(names, name), names[name], values[name]), {dimensions:Array(String)}) AS labels
FROM members
WHERE arrayAll(
  (operator, dimension, wanted) -> (operator IN ('is_not', 'contains_not')) != if(
    operator IN ('is', 'is_not'),
    has(arrayMap(one -> lowerUTF8(one), wanted), lowerUTF8(values[dimension])),
    arrayExists(one -> position(lowerUTF8(values[dimension]), lowerUTF8(one)) > 0, wanted)
  ),
  {operators:Array(String)}, {filtered:Array(String)}, {wanted:Array(Array(String))}
);

-- name: step-happened
-- One row per event that may be part of an attempt: its time in milliseconds, the steps that it is, whether it may
-- begin one, and its place among the events of its install. At the same millisecond events are in the order of the
-- steps. In strict order every event has a place, in open order only those that are a step.
SELECT
  install_id, time, matched, begins,
  toInt64(row_number() OVER (
    PARTITION BY install_id ORDER BY time, if(empty(matched), 255, matched[1]), event_key
  )) AS place
FROM (
  SELECT
    install_id, event_key, toUnixTimestamp64Milli(app_events.time) AS time,
    arrayFilter(
      (step, step_type, step_name) -> app_events.type = step_type
        AND (step_type != 'event' OR app_events.name = step_name),
      arrayMap(step -> toUInt8(step), arrayEnumerate({types:Array(String)})),
      {types:Array(String)}, {names:Array(String)}
    ) AS matched,
    toDate(app_events.time, {timezone:String}) BETWEEN {from:Date} AND {to:Date} AS begins
  FROM adtrail.app_events FINAL
  WHERE project_id = {project_id:UInt32}
    -- Days of the project begin up to a day earlier or later than those of UTC.
    AND app_events.time >= toDateTime64({from:Date}, 3, 'UTC') - INTERVAL 1 DAY
    AND app_events.time < toDateTime64({to:Date}, 3, 'UTC') + INTERVAL 2 DAY + toIntervalSecond({window:UInt32})
    AND (project_id, install_id) IN (SELECT {project_id:UInt32}, install_id FROM chosen)
) AS events
WHERE {is_strict:Bool} OR notEmpty(matched);

-- name: step-attempts
-- One row per install: of its attempts the one that came furthest, first; of several that came there by the same event
-- the one that began last. An attempt is the place where it began, that of its last step, and the times of its steps.
-- The fold keeps for each step the attempt that began last of those that have reached it, and the first that did.
SELECT
  install_id,
  arraySlice(arrayLast(
    attempt -> notEmpty(attempt),
    arrayFold(
      (attempts, time, matched, begins, place) -> (
        arrayMap(
          (step, own, before) -> multiIf(
            NOT has(matched, step), own,
            step = 1, if(begins, [place, place, time], own),
            empty(before) OR time > before[3] + {window:UInt32} * 1000, own,
            {is_strict:Bool} AND before[2] != place - 1, own,
            notEmpty(own) AND own[1] >= before[1], own,
            arrayConcat([before[1], place], arraySlice(before, 3), [time])
          ),
          arrayMap(step -> toUInt8(step), arrayEnumerate({types:Array(String)})),
          attempts.1,
          arrayPushFront(arrayPopBack(attempts.1), CAST([], 'Array(Int64)'))
        ) AS latest,
        arrayMap((first, now) -> if(empty(first), now, first), attempts.2, latest)
      ),
      times, matches, beginnings, places,
      (
        arrayMap(_ -> CAST([], 'Array(Int64)'), {types:Array(String)}),
        arrayMap(_ -> CAST([], 'Array(Int64)'), {types:Array(String)})
      )
    ).2
  ), 3) AS reached
FROM (
  SELECT
    install_id,
    arraySort(groupArray((place, time, matched, begins))) AS in_order,
    in_order.1 AS places, in_order.2 AS times, in_order.3 AS matches, in_order.4 AS beginnings
  FROM happened
  GROUP BY install_id
  HAVING arrayExists(one -> one.4 AND has(one.3, 1), in_order)
);

-- name: rows
-- One row per group: for each step how many installs reached it, and the median and mean of the milliseconds from the
-- step before. Greatest first.
SELECT
  dimensions, any(labels) AS labels,
  arrayResize(sumForEach(arrayWithConstant(length(reached), 1)), length({types:Array(String)})) AS installs,
  quantileExactLowForEach(0.5)(gaps) AS medians,
  avgForEach(gaps) AS means
FROM (
  SELECT
    chosen.dimensions AS dimensions, chosen.labels AS labels, attempts.reached AS reached,
    arrayPopFront(arrayDifference(attempts.reached)) AS gaps
  FROM attempts
  INNER JOIN chosen ON attempts.install_id = chosen.install_id
)
GROUP BY dimensions
ORDER BY installs[1] DESC, dimensions
LIMIT {limit:UInt32};

-- name: count-rows
-- How many groups there are.
SELECT uniqExact(chosen.dimensions) AS rows
FROM attempts
INNER JOIN chosen ON attempts.install_id = chosen.install_id;
