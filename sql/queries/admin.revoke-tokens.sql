-- Revokes every token of partner $1, at once and for good.
UPDATE partner_tokens SET revoked_at = now() WHERE partner_id = $1 AND revoked_at IS NULL
