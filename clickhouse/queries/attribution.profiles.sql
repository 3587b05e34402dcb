-- One row per install of {installs} and key that its events say something of: the latest value by the time of the event
-- that is not null, as JSON. `about` says whether the key is the user's or the device's.
SELECT install_id, about, fact.key AS key, argMax(fact.value, (time, id)) AS value
FROM (
  SELECT
    install_id, time, id, about, JSONExtractKeysAndValuesRaw(json)::Array(Tuple(key String, value String)) AS facts
  FROM adtrail.app_events FINAL
  ARRAY JOIN ['user', 'device'] AS about, [user, device] AS json
  WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)} AND json != ''
)
ARRAY JOIN facts AS fact
WHERE fact.value != 'null'
GROUP BY install_id, about, key
