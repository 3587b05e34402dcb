-- One row per project that works with partner $1: it has had a campaign there, or anything was switched on or off.
SELECT projects.id, projects.name, accounts.name AS account
FROM projects
JOIN accounts ON accounts.id = projects.account_id
WHERE EXISTS (SELECT FROM partner_switches WHERE project_id = projects.id AND partner_id = $1)
  OR projects.id IN (SELECT project_id FROM campaigns WHERE partner_id = $1)
ORDER BY projects.id
