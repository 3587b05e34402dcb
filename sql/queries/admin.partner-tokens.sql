-- One row a token of partner $1, those that no longer work too; the tokens themselves are kept by nobody.
SELECT id, created_at, valid_until, revoked_at FROM partner_tokens WHERE partner_id = $1 ORDER BY id
