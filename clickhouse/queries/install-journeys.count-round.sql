-- How many installs a round of a part of a run has taken up.
SELECT count() AS rows FROM adtrail.journey_batches WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  AND round = {round:UInt8}
