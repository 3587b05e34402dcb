-- One invitation that nobody has followed.
SELECT id, email, role, account_id, partner_id FROM sign_in_links
WHERE id = $1 AND kind = 'invitation' AND used_at IS NULL
