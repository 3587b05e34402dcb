-- Step campaign_keys of reports that need none: their rows are no campaigns, and no campaign was ever paused. No rows.
SELECT '' AS key, toUInt32(0) AS campaign_id, '' AS name, '' AS network, '' AS merged_id WHERE false
