-- One row per install of {installs} and a key that its events say something of: the latest value by the time of the
-- event that is not null, as JSON. `about` says whether the key is the user's or the device's.
SELECT install_id, about, pair.1 AS key, argMax(pair.2, (time, id)) AS value
FROM (
  SELECT install_id, time, id, fact.1 AS about, arrayJoin(JSONExtractKeysAndValuesRaw(fact.2)) AS pair
  FROM adtrail.app_events FINAL
  ARRAY JOIN [('user', user), ('device', device)] AS fact
  WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)} AND fact.2 != ''
)
WHERE pair.2 != 'null'
GROUP BY install_id, about, key
