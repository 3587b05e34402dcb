-- Webhook $2 of project $1 with the secrets that are valid, the newest first; no row where there is none.
SELECT
  url,
  (
    SELECT coalesce(array_agg(secret.secret ORDER BY secret.id DESC), '{}')
    FROM webhook_secrets AS secret
    WHERE secret.webhook_id = webhooks.id AND (secret.valid_until IS NULL OR secret.valid_until > now())
  ) AS secrets
FROM webhooks
WHERE project_id = $1 AND id = $2
