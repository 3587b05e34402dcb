-- The password of a person, as its hash.
UPDATE users SET password = $2 WHERE id = $1
