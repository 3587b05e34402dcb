-- A link that still works, by the SHA-256 of its token, with the names of its place and of its maker, and whether its
-- person is known: who follows a mail comes new to an account whose address nobody has proven.
SELECT links.id, links.kind, coalesce(links.email, person.email) AS email, links.role, links.account_id,
  links.partner_id, links.user_id, links.expires_at, links.made_by, links.mailed, links.invited_by, maker.name AS maker,
  CASE links.kind WHEN 'invitation' THEN coalesce(accounts.name, partners.name) END AS place,
  known.id IS NOT NULL AND NOT (links.mailed AND known.proven_at IS NULL) AS known
FROM sign_in_links AS links
LEFT JOIN users AS person ON person.id = links.user_id
LEFT JOIN users AS known ON known.email = links.email
LEFT JOIN users AS maker ON maker.id = links.made_by
LEFT JOIN accounts ON accounts.id = links.account_id
LEFT JOIN partners ON partners.id = links.partner_id
WHERE links.sha256 = $1 AND links.used_at IS NULL AND links.expires_at > $2
