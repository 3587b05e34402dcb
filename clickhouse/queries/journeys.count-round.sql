-- How many installs a round of a part of a turn has taken up.
SELECT count() AS rows FROM adtrail.journey_batches WHERE turn = {turn:UInt64} AND chunk = {chunk:UInt16} AND round = {round:UInt8}
