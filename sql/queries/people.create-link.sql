-- A link that lets somebody in once. Who makes it is who acts in the transaction.
INSERT INTO sign_in_links
  (sha256, kind, email, role, account_id, partner_id, user_id, invited_by, mailed, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id
