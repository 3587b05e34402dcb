-- One row per partner token that works, or will work until valid_until.
SELECT sha256, partner_id, valid_until
FROM partner_tokens
WHERE revoked_at IS NULL AND (valid_until IS NULL OR valid_until > now())
