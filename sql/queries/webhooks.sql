-- name: list
-- One row per webhook of project $1; its secrets are shown to nobody.
SELECT id, url, events, enabled, created_at, switched_off_at FROM webhooks WHERE project_id = $1 ORDER BY id;

-- name: create
-- Makes a webhook of project $1 and answers with its ID.
INSERT INTO webhooks (project_id, url, events, enabled) VALUES ($1, $2, $3, $4) RETURNING id;

-- name: change
-- Replaces what webhook $1 is sent, and where. One that is on is in use again.
UPDATE webhooks SET url = $2, events = $3, enabled = $4,
  switched_off_at = CASE WHEN $4 OR url <> $2 THEN NULL ELSE switched_off_at END
WHERE id = $1;

-- name: delete-secrets
-- Deletes the secrets of webhook $1, before it goes itself: the audit log then still knows whose they were.
DELETE FROM webhook_secrets WHERE webhook_id = $1;

-- name: delete
-- Deletes webhook $1.
DELETE FROM webhooks WHERE id = $1;
