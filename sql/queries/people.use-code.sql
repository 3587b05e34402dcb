-- Uses up the codes of a second factor up to a step; no row where another request was first.
UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2 RETURNING id
