-- Ends all sessions of a person but one; all with null.
DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2
