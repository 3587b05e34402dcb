-- The project of account $1 that is named $2.
SELECT * FROM projects WHERE account_id = $1 AND name = $2
