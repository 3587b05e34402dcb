-- Step impressions_wanted. One row per install that the rule device_impression decides: the impressions that are left
-- to it, best first, as far as they are candidates. Steps: candidates, installs.
SELECT
  project_id, install_id, any(install_received_at) AS install_received_at,
  arrayMap(impression -> impression.2,
    arraySort(groupArrayIf((place, touch_id), rule = 'device_impression'))) AS wanted
FROM candidates
WHERE reason = '' AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM installs WHERE is_given)
GROUP BY project_id, install_id
HAVING argMin(rule, place) = 'device_impression'
