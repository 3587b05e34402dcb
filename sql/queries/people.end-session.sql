-- Ends one session of a person.
DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING id
