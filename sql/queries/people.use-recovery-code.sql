-- Uses up a recovery code; no row where the person has no such code. $2 is its SHA-256.
UPDATE users SET recovery_codes = array_remove(recovery_codes, $2) WHERE id = $1 AND $2 = ANY (recovery_codes)
RETURNING id
