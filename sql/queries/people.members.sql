-- The members of a place. $1 account, $2 partner, both null for operators.
SELECT memberships.id, users.name, users.email, memberships.role, memberships.created_at,
  (SELECT max(sessions.last_seen_at) FROM sessions WHERE sessions.user_id = users.id) AS last_seen_at,
  users.totp_secret IS NOT NULL AS second_factor
FROM memberships JOIN users ON users.id = memberships.user_id
WHERE memberships.account_id IS NOT DISTINCT FROM $1 AND memberships.partner_id IS NOT DISTINCT FROM $2
  AND (memberships.role = 'operator') = ($1::integer IS NULL AND $2::integer IS NULL)
ORDER BY lower(users.name), memberships.id
LIMIT 10000
