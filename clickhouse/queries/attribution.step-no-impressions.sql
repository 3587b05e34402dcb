-- Step impressions_credited where no install of the run has a candidate: no row.
SELECT toUInt32(0) AS project_id, '' AS install_id, 0 AS is_held_up
WHERE 0
