-- How many changes of stored records are still under way.
SELECT count() AS mutations FROM system.mutations WHERE database = 'adtrail' AND NOT is_done
