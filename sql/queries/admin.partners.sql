-- One row per partner with the number of its tokens that work.
SELECT id, name, status, created_at,
  (
    SELECT count(*)
    FROM partner_tokens
    WHERE partner_id = partners.id AND revoked_at IS NULL AND (valid_until IS NULL OR valid_until > now())
  ) AS tokens
FROM partners
ORDER BY id
