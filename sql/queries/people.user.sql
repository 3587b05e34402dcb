-- One person.
SELECT id, email, name, password, totp_secret, totp_last_step, recovery_codes FROM users WHERE id = $1
