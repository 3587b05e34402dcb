-- Step returns where no event can be a re-engagement: no row.
SELECT toUInt32(0) AS project_id, toUUID('00000000-0000-0000-0000-000000000000') AS id, 0 AS is_return
WHERE 0
