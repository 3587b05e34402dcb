-- One row where the service has mailed a link for a new password to a person since $2, and it is open. $3 is now.
SELECT id FROM sign_in_links
WHERE kind = 'password' AND user_id = $1 AND mailed AND created_at > $2 AND used_at IS NULL AND expires_at > $3
LIMIT 1
