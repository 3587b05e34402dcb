-- Gives the tokens of partner $1 that had no end yet the end $2, and answers with it.
UPDATE partner_tokens SET valid_until = $2
WHERE partner_id = $1 AND valid_until IS NULL AND revoked_at IS NULL
RETURNING valid_until
