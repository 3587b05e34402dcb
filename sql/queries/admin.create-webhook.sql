-- Makes a webhook of project $1 and answers with its ID.
INSERT INTO webhooks (project_id, url, events, enabled) VALUES ($1, $2, $3, $4) RETURNING id
