-- One person, locked against other changes until the transaction ends.
SELECT id, email, name, password, totp_secret, totp_last_step, recovery_codes, proven_at FROM users WHERE id = $1
FOR NO KEY UPDATE
