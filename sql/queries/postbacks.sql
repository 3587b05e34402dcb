-- name: list
-- One row per template of partner $1 that holds in all projects.
SELECT id, event, method, url, headers, body, enabled, created_at, switched_off_at
FROM postback_templates WHERE partner_id = $1 AND project_id IS NULL ORDER BY id;

-- name: overrides
-- One row per override of project $1, with the name of the partner that it is for.
SELECT override.id, override.event, override.partner_id, partners.name AS partner, override.method, override.url,
  override.headers, override.body, override.withhold, override.enabled, override.created_at, override.switched_off_at
FROM postback_templates AS override LEFT JOIN partners ON partners.id = override.partner_id
WHERE override.project_id = $1 ORDER BY override.id;

-- name: delete
-- Deletes the template of event $3 of partner $1 in project $2, either of which may be null, and answers with its ID.
DELETE FROM postback_templates
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2 AND event = $3
RETURNING id;

-- name: delete-secret
-- Deletes the secret of name $3 of partner $1, or of project $2, the other one being null, and answers with its ID.
DELETE FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2 AND name = $3
RETURNING id;
