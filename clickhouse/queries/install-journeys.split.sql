-- Splits a part of a run in two, {first} and {second}: the installs that something was stored about, without those that
-- were taken up because of their devices.
INSERT INTO adtrail.journey_batches (run_id, chunk, round, project_id, install_id)
SELECT
  run_id,
  if(row_number() OVER (ORDER BY project_id, install_id) * 2 <= count() OVER (), {first:UInt16}, {second:UInt16}),
  0, project_id, install_id
FROM (
  SELECT DISTINCT run_id, project_id, install_id
  FROM adtrail.journey_batches
  WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND round = 0
)
