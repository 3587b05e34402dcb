-- Uses a link up; no row where another request was first.
UPDATE sign_in_links SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id
