-- How many reinstalls a part of a turn has taken up.
SELECT count() AS rows
FROM adtrail.installs
WHERE reinstall = 1 AND (project_id, install_id) IN (SELECT project_id, install_id FROM adtrail.journey_batches WHERE turn = {turn:UInt64} AND chunk = {chunk:UInt16})
