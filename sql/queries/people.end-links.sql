-- Ends the open links that a new one replaces: for a password those of the same person, else those of the same kind,
-- address and place.
UPDATE sign_in_links SET used_at = $6
WHERE used_at IS NULL AND kind = $1 AND user_id IS NOT DISTINCT FROM $5 AND (
  kind = 'password' OR (email IS NOT DISTINCT FROM $2
    AND account_id IS NOT DISTINCT FROM $3 AND partner_id IS NOT DISTINCT FROM $4)
)
