-- Takes up messages that are due: of each host of $1 at most as many as stand beside it in $2, for $3 seconds. Nobody
-- else takes them up until then. A message behind another one of its lane is not taken up: it waits until that one may
-- be tried again, or is done. One row per message looked at; `is_taken` says whether it was taken up.
WITH
  picked AS MATERIALIZED (
    SELECT due.postback_id, due.lane, due.place
    FROM unnest($1::text[], $2::integer[]) AS free (host, places)
    CROSS JOIN LATERAL (
      SELECT postback_id, lane, place
      FROM outbox
      WHERE outbox.host = free.host AND outbox.due_at <= now()
      ORDER BY outbox.due_at
      LIMIT free.places
      FOR UPDATE SKIP LOCKED
    ) AS due
  ),
  ranked AS (
    SELECT picked.postback_id, first.due_at AS ahead
    FROM picked
    LEFT JOIN LATERAL (
      SELECT due_at FROM outbox WHERE outbox.lane = picked.lane AND outbox.place < picked.place ORDER BY place LIMIT 1
    ) AS first ON true
  ),
  taken AS (
    UPDATE outbox
    SET due_at = CASE WHEN ahead IS NULL THEN now() + make_interval(secs => $3)
      ELSE greatest(ahead, now()) + interval '500 milliseconds' END
    FROM ranked
    WHERE outbox.postback_id = ranked.postback_id
    RETURNING outbox.*, ahead IS NULL AS is_taken
  )
SELECT
  taken.postback_id, taken.lane, taken.place, taken.template_id, taken.webhook_id, taken.withhold, taken.project_id,
  taken.partner_id, taken.event, taken.run_id, taken.subject, taken.host, taken.is_replay, taken.is_held,
  taken.attempts, taken.is_taken, taken.settled_at < now() - interval '15 minutes' AS is_old,
  template.method, coalesce(template.url, webhook.url) AS url, template.headers, template.body,
  coalesce(template.enabled AND template.switched_off_at IS NULL,
    webhook.enabled AND webhook.switched_off_at IS NULL, false) AS is_on,
  (
    SELECT array_agg(secret.secret ORDER BY secret.id DESC)
    FROM webhook_secrets AS secret
    WHERE secret.webhook_id = webhook.id AND (secret.valid_until IS NULL OR secret.valid_until > now())
  ) AS secrets,
  (
    SELECT jsonb_object_agg(secret.name, secret.secret)
    FROM postback_secrets AS secret
    WHERE CASE WHEN template.project_id IS NULL THEN secret.partner_id = template.partner_id
      ELSE secret.project_id = template.project_id END
  ) AS template_secrets,
  template.id IS NOT NULL AND template.project_id IS NULL AS is_partners
FROM taken
LEFT JOIN postback_templates AS template ON template.id = taken.template_id
LEFT JOIN webhooks AS webhook ON webhook.id = taken.webhook_id
ORDER BY taken.place
