-- Step impressions_credited. One row per install of the step impressions_wanted: the impression that it is credited
-- with. Each is credited once, to the install received first, so installs choose in the order of their receipt. One to
-- which none of its hundred candidates is left may have others, and is held up, with all installs after it, until the
-- next run: which impressions are left does not depend on how installs fall into runs. Where fewer are known there are
-- no others.
SELECT
  project_id, install.1 AS install_received_at, install.2 AS install_id, touch_id, touch_id = held_up AS is_held_up
FROM (
  SELECT
    project_id, toUUID('ffffffff-ffff-ffff-ffff-ffffffffffff') AS held_up,
    arraySort(groupArray((install_received_at, install_id, wanted))) AS in_order,
    arrayFold(
      (credited, install) -> arrayPushBack(credited, if(has(credited, held_up), held_up,
        arrayMap(
          gone -> if(length(gone) = 100, held_up, arrayFirst(touch -> NOT has(gone, touch), install.3)),
          [arrayIntersect(install.3, credited)]
        )[1]
      )),
      in_order, []::Array(UUID)
    ) AS credited
  FROM impressions_wanted
  GROUP BY project_id
)
ARRAY JOIN in_order AS install, credited AS touch_id
