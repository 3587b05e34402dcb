-- A link that lets somebody in once.
INSERT INTO sign_in_links
  (sha256, kind, email, role, account_id, partner_id, user_id, invited_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING id
