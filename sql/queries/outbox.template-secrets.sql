-- One row: the secrets of partner $1, or of project $2, the other one being null, sealed, by name; null for none.
SELECT jsonb_object_agg(name, secret) AS secrets
FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2
