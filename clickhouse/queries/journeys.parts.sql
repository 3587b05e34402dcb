-- One row a part of a turn.
SELECT DISTINCT chunk FROM adtrail.journey_batches WHERE turn = {turn:UInt64} ORDER BY chunk
