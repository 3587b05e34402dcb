-- One row per token of partner $1, those that no longer work too; the tokens themselves are not stored.
SELECT id, created_at, valid_until, revoked_at FROM partner_tokens WHERE partner_id = $1 ORDER BY id
