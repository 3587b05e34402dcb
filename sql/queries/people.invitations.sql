-- Invitations of a place that nobody has followed. $1 account, $2 partner, both null for operators.
SELECT id, email, role, created_at, expires_at, invited_by
FROM sign_in_links
WHERE kind = 'invitation' AND used_at IS NULL AND expires_at > $3
  AND account_id IS NOT DISTINCT FROM $1 AND partner_id IS NOT DISTINCT FROM $2
ORDER BY id
LIMIT 1000
