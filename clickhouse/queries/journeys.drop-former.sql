-- Drops the journeys of the installs of a part of a turn that the turn has not derived again.
INSERT INTO adtrail.journeys (project_id, book, campaign_id, head, opening, v, gone)
SELECT project_id, book, campaign_id, head, opening, {turn:UInt64}, 1
FROM adtrail.journeys
WHERE head IN (SELECT reinterpretAsUUID(sipHash128(install_id)) FROM adtrail.journey_batches WHERE turn = {turn:UInt64} AND chunk = {chunk:UInt16})
  AND project_id IN (SELECT project_id FROM adtrail.journey_batches WHERE turn = {turn:UInt64} AND chunk = {chunk:UInt16})
GROUP BY project_id, book, campaign_id, head, opening
HAVING max(v) < {turn:UInt64} AND argMax(gone, v) = 0
