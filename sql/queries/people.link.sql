-- A link that still works, by the SHA-256 of its token, with the name of its place and whether its person is known.
SELECT links.id, links.kind, coalesce(links.email, person.email) AS email, links.role, links.account_id,
  links.partner_id, links.user_id, links.expires_at, coalesce(accounts.name, partners.name) AS place,
  known.id IS NOT NULL AS known
FROM sign_in_links AS links
LEFT JOIN users AS person ON person.id = links.user_id
LEFT JOIN users AS known ON known.email = links.email
LEFT JOIN accounts ON accounts.id = links.account_id
LEFT JOIN partners ON partners.id = links.partner_id
WHERE links.sha256 = $1 AND links.used_at IS NULL AND links.expires_at > $2
