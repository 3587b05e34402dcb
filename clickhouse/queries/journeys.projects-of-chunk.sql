-- One row a project of which a part of a turn has taken up installs.
SELECT DISTINCT project_id FROM adtrail.journey_batches WHERE turn = {turn:UInt64} AND chunk = {chunk:UInt16}
