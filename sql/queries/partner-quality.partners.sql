-- One row per partner that works with project $1: it has had a campaign there, or anything was switched on or off.
SELECT id, name
FROM partners
WHERE id IN (SELECT partner_id FROM partner_switches WHERE project_id = $1)
  OR id IN (SELECT partner_id FROM campaigns WHERE project_id = $1)
ORDER BY id
