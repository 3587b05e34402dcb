-- The name of a person.
UPDATE users SET name = $2 WHERE id = $1
