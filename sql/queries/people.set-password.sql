-- The password of a person, as its hash. $3: whether who sets it is known to be the person; else nobody is any more.
UPDATE users SET password = $2, proven_at = CASE WHEN $3 THEN proven_at END WHERE id = $1
