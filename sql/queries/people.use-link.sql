-- Uses a link up.
UPDATE sign_in_links SET used_at = $2, followed_at = $2 WHERE id = $1
