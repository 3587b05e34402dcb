-- The first $3 partners, by name, that have CTV on for the app with app ID $2 in project $1.
SELECT partners.name
FROM partner_switches JOIN partners ON partners.id = partner_switches.partner_id
WHERE partner_switches.project_id = $1 AND $2 = ANY (partner_switches.ctv_apps)
ORDER BY partners.name
LIMIT $3
