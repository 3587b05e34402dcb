-- Who signs in has proven the address of a person, of which nobody knew whose it is: what let others in goes, but for
-- the password $2 that is set now; null for none. $3 is now.
UPDATE users
SET proven_at = $3, password = $2, totp_secret = NULL, totp_last_step = 0, recovery_codes = '{}'
WHERE id = $1
