-- Gives the newest secret of webhook $1 the end $2, and answers with it.
UPDATE webhook_secrets SET valid_until = $2 WHERE webhook_id = $1 AND valid_until IS NULL RETURNING valid_until
