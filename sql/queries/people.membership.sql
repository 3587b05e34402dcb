-- One membership with its person, locked against other changes.
SELECT memberships.id, memberships.user_id, memberships.role, memberships.account_id, memberships.partner_id,
  users.email, users.name
FROM memberships JOIN users ON users.id = memberships.user_id
WHERE memberships.id = $1
FOR UPDATE OF memberships
