-- Deletes the template of event $3 of partner $1 in project $2, either of which may be null, and answers with its ID.
DELETE FROM postback_templates
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2 AND event = $3
RETURNING id
