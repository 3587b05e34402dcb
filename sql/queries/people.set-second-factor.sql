-- Turns the second factor of a person on, or off with a null.
UPDATE users SET totp_secret = $2, totp_last_step = $3, recovery_codes = $4 WHERE id = $1
