-- Deletes the secret of name $3 of partner $1, or of project $2, the other one being null, and answers with its ID.
DELETE FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2 AND name = $3
RETURNING id
