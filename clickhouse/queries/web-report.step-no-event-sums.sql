-- Step event_sums of reports that ask for no events: no rows.
SELECT toUInt64(0) AS touch, CAST(map(), 'Map(String, UInt64)') AS counts WHERE false
