-- Links that a new one replaces: of the same kind, person, address and place.
UPDATE sign_in_links SET used_at = $6
WHERE used_at IS NULL AND kind = $1 AND email IS NOT DISTINCT FROM $2
  AND account_id IS NOT DISTINCT FROM $3 AND partner_id IS NOT DISTINCT FROM $4 AND user_id IS NOT DISTINCT FROM $5
