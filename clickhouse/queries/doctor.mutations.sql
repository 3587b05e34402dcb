-- One row per table with a change of stored rows that has not ended within {seconds}, or fails. Table:
-- system.mutations.
SELECT table, count() AS mutations, max(latest_fail_reason) AS reason
FROM system.mutations
WHERE database = 'adtrail' AND NOT is_done AND create_time < now() - {seconds:UInt32}
GROUP BY table
ORDER BY table
