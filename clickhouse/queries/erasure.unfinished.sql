-- How many changes whose commands match {pattern} are still under way, and why they cannot go on, if they cannot.
-- cluster: of every node
SELECT count() AS unfinished, max(latest_fail_reason) AS failure
FROM system.mutations
WHERE database = 'adtrail' AND NOT is_done AND match(command, {pattern:String})
