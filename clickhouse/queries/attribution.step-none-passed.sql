-- Step passed where there are no lanes: no row.
SELECT toUInt32(0) AS project_id, '' AS install_id
WHERE 0
