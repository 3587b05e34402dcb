-- How many have a role in a place. $1 role, $2 account, $3 partner.
SELECT count(*)::integer AS count FROM memberships
WHERE role = $1 AND account_id IS NOT DISTINCT FROM $2 AND partner_id IS NOT DISTINCT FROM $3
