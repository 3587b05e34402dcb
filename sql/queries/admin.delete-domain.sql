-- Deletes domain $1, which no campaign has any more.
DELETE FROM domains WHERE id = $1
