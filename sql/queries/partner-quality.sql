-- name: project
-- The time zone of project $1, and the receipt time, in milliseconds, up to which everything accepted is in its
-- figures; none before the first.
SELECT timezone,
  (SELECT floor(extract(epoch FROM settled) * 1000)::float8 FROM watermarks WHERE name = 'install-journeys') AS settled
FROM projects
WHERE id = $1;

-- name: partners
-- One row per partner that works with project $1: it has had a campaign there, or anything was switched on or off.
SELECT id, name
FROM partners
WHERE id IN (SELECT partner_id FROM partner_switches WHERE project_id = $1)
  OR id IN (SELECT partner_id FROM campaigns WHERE project_id = $1)
ORDER BY id;
