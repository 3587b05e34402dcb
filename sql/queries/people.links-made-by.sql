-- The open links that a person has made. $2 is now.
SELECT id, kind, role, account_id, partner_id, user_id, made_by FROM sign_in_links
WHERE made_by = $1 AND used_at IS NULL AND expires_at > $2
ORDER BY id
