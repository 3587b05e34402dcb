-- Project $1, with the name of its account.
SELECT projects.*, accounts.name AS account
FROM projects JOIN accounts ON accounts.id = projects.account_id
WHERE projects.id = $1
