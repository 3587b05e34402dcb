-- One person by the address in lower case.
SELECT id, email, name, password, totp_secret, totp_last_step, recovery_codes, proven_at FROM users WHERE email = $1
