-- Ends a link that nobody has followed.
UPDATE sign_in_links SET used_at = $2 WHERE id = $1 AND used_at IS NULL
