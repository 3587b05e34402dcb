-- Invitations for an address that still work: a provider vouches for the address.
SELECT id, kind, role, account_id, partner_id, user_id, made_by, invited_by FROM sign_in_links
WHERE kind = 'invitation' AND email = $1 AND used_at IS NULL AND expires_at > $2
ORDER BY id
