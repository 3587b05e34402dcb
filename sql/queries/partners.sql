-- name: list
-- One row per partner with the number of its tokens that work.
SELECT id, name, status, created_at,
  (
    SELECT count(*)
    FROM partner_tokens
    WHERE partner_id = partners.id AND revoked_at IS NULL AND (valid_until IS NULL OR valid_until > now())
  ) AS tokens
FROM partners
ORDER BY id;

-- name: tokens
-- One row per token of partner $1, those that no longer work too; the tokens themselves are not stored.
SELECT id, created_at, valid_until, revoked_at FROM partner_tokens WHERE partner_id = $1 ORDER BY id;

-- name: retire-tokens
-- Gives the tokens of partner $1 that had no end yet the end $2, and answers with it.
UPDATE partner_tokens SET valid_until = $2
WHERE partner_id = $1 AND valid_until IS NULL AND revoked_at IS NULL
RETURNING valid_until;

-- name: revoke-tokens
-- Revokes every token of partner $1, at once and for good.
UPDATE partner_tokens SET revoked_at = now() WHERE partner_id = $1 AND revoked_at IS NULL;

-- name: switches
-- One row per partner that anything was switched on or off for in project $1.
SELECT partner_id, partners.name AS partner, s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours
FROM partner_switches JOIN partners ON partners.id = partner_id
WHERE project_id = $1 ORDER BY partner_id;
