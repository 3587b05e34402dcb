-- One row where a person with this address is a member of a place. $2 account, $3 partner, both null for operators.
SELECT memberships.id FROM memberships JOIN users ON users.id = memberships.user_id
WHERE users.email = $1
  AND memberships.account_id IS NOT DISTINCT FROM $2 AND memberships.partner_id IS NOT DISTINCT FROM $3
