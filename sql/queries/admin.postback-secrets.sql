-- One row per secret of partner $1, or of project $2, the other one being null; sealed, and shown to nobody.
SELECT name, secret, created_at, changed_at
FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2
ORDER BY name
