-- name: webhook
-- Webhook $2 of project $1 with the secrets that are valid, the newest first; no row where there is none.
SELECT
  url,
  (
    SELECT coalesce(array_agg(secret.secret ORDER BY secret.id DESC), '{}')
    FROM webhook_secrets AS secret
    WHERE secret.webhook_id = webhooks.id AND (secret.valid_until IS NULL OR secret.valid_until > now())
  ) AS secrets
FROM webhooks
WHERE project_id = $1 AND id = $2;

-- name: campaigns-by-code
-- IDs of the campaigns with display ID $1: of project $2, or of partner $3, whichever is not null.
SELECT id FROM campaigns WHERE display_id = $1 AND (project_id = $2::integer OR partner_id = $3::integer);

-- name: partners
-- One row per partner of $1, IDs.
SELECT id, name FROM partners WHERE id = ANY($1::integer[]);

-- name: projects
-- One row per project of $1, IDs.
SELECT id, name FROM projects WHERE id = ANY($1::integer[]);

-- name: pending
-- One row per host that messages wait for: how many, and for how many seconds the oldest does.
SELECT host, count(*)::integer AS pending, extract(epoch FROM now() - min(settled_at))::double precision AS oldest
FROM outbox
GROUP BY host;

-- name: destinations
-- One row: whom anybody is to be told of. Projects with webhooks or overrides, partners with templates, all projects
-- that have either or campaigns of such a partner, and since when (milliseconds) the oldest destination is there; null
-- where there are none.
WITH
  destination AS (
    SELECT project_id, partner_id, created_at FROM postback_templates WHERE enabled AND switched_off_at IS NULL
    UNION ALL
    SELECT project_id, NULL, created_at FROM webhooks WHERE enabled AND switched_off_at IS NULL
  ),
  concerned AS (
    SELECT project_id FROM destination WHERE project_id IS NOT NULL
    UNION
    SELECT project_id FROM campaigns WHERE partner_id IN (SELECT partner_id FROM destination)
    UNION
    SELECT project_id FROM partner_switches WHERE partner_id IN (SELECT partner_id FROM destination)
  )
SELECT
  (SELECT coalesce(array_agg(project_id), '{}') FROM concerned) AS concerned,
  coalesce(array_agg(DISTINCT project_id) FILTER (WHERE project_id IS NOT NULL), '{}') AS projects,
  coalesce(array_agg(DISTINCT partner_id) FILTER (WHERE partner_id IS NOT NULL), '{}') AS partners,
  (extract(epoch FROM min(created_at)) * 1000)::bigint AS since
FROM destination;

-- name: settle
-- How many messages are to be sent now. Step: added.
SELECT count(*)::integer AS messages FROM added;

-- name: step-fresh
-- Step fresh. One row per message that was not settled before; now it is. Step: messages.
INSERT INTO outbox_settled (day, postback_id)
SELECT DISTINCT day, postback_id FROM messages
ON CONFLICT DO NOTHING
RETURNING postback_id;

-- name: step-added
-- Step added. One row per message that is to be sent now. What a backup that was restored has events of is held.
-- Steps: messages, fresh.
INSERT INTO outbox (
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host, is_held
)
SELECT
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host,
  coalesce(received_at <= (SELECT max(events_until) FROM restores), false)
FROM messages
WHERE postback_id IN (SELECT postback_id FROM fresh)
ORDER BY place, kind
ON CONFLICT (postback_id) DO NOTHING
RETURNING postback_id;

-- name: drop-settled
-- Forgets which messages were settled about events received before $1, a day: no run looks at such events any more.
DELETE FROM outbox_settled WHERE day < $1;

-- name: hosts
-- One row per host that a message waits for; each costs one look at the index, however much waits for it.
WITH RECURSIVE hosts AS (
  (SELECT host FROM outbox ORDER BY host LIMIT 1)
  UNION ALL
  SELECT (SELECT host FROM outbox WHERE host > hosts.host ORDER BY host LIMIT 1) FROM hosts WHERE hosts.host IS NOT NULL
)
SELECT host FROM hosts WHERE host IS NOT NULL;

-- name: take-up
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
ORDER BY taken.place;

-- name: finish
-- Ends what became of messages: those of $1 are done, or given up, and go. Those behind them may be taken up.
WITH
  done AS (
    DELETE FROM outbox WHERE postback_id = ANY($1::uuid[]) RETURNING lane, place
  ),
  next AS (
    SELECT behind.postback_id
    FROM done
    CROSS JOIN LATERAL (
      SELECT postback_id FROM outbox WHERE outbox.lane = done.lane AND outbox.place > done.place ORDER BY place LIMIT 1
    ) AS behind
  )
UPDATE outbox SET due_at = now() WHERE postback_id IN (SELECT postback_id FROM next) AND due_at > now();

-- name: put-off
-- Messages of $1 were tried once more without success, and are due again at the time beside them in $2 (milliseconds).
UPDATE outbox
SET attempts = attempts + 1, due_at = to_timestamp(later.due_at / 1000)
FROM unnest($1::uuid[], $2::double precision[]) AS later (postback_id, due_at)
WHERE outbox.postback_id = later.postback_id;

-- name: switch-off-template
-- Switches a template off whose receiver says that it is gone for good. One row if it was in use.
UPDATE postback_templates SET switched_off_at = now() WHERE id = $1 AND switched_off_at IS NULL RETURNING id;

-- name: switch-off-webhook
-- Switches a webhook off whose receiver says that it is gone for good. One row if it was in use.
UPDATE webhooks SET switched_off_at = now() WHERE id = $1 AND switched_off_at IS NULL RETURNING id;

-- name: pending-of-project
-- One row per host that messages of project $1 wait for: how many, and for how many seconds the oldest does. Of the $2
-- oldest messages at most; the host that has waited longest first.
SELECT host, count(*)::integer AS pending, extract(epoch FROM now() - min(settled_at))::double precision AS oldest
FROM (SELECT host, settled_at FROM outbox WHERE project_id = $1 ORDER BY settled_at LIMIT $2) AS waiting
GROUP BY host
ORDER BY oldest DESC, host;

-- name: pending-of-partner
-- One row per host that postbacks to partner $1 wait for, whatever their project: how many, and for how many seconds
-- the oldest does. Of the $2 oldest messages at most; the host that has waited longest first.
SELECT host, count(*)::integer AS pending, extract(epoch FROM now() - min(settled_at))::double precision AS oldest
FROM (
  SELECT host, settled_at FROM outbox WHERE partner_id = $1 AND partner_id <> 0 ORDER BY settled_at LIMIT $2
) AS waiting
GROUP BY host
ORDER BY oldest DESC, host;

-- name: template-secrets
-- One row: the secrets of partner $1, or of project $2, the other one being null, sealed, by name; null for none.
SELECT jsonb_object_agg(name, secret) AS secrets
FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2;

-- name: step-chosen
-- Step chosen. The messages that are to be sent once more: to partner $3 and by webhook $4 alone, where these are not
-- null, those of $5, IDs, and those that tell of events $6, where these are not null. Step: messages.
SELECT DISTINCT ON (postback_id) *
FROM messages
WHERE ($3::integer IS NULL OR (partner_id = $3 AND kind = 1))
  AND ($4::integer IS NULL OR webhook_id = $4)
  AND ($5::uuid[] IS NULL OR postback_id = ANY($5))
  AND ($6::text[] IS NULL OR event = ANY($6))
ORDER BY postback_id, place;

-- name: count-chosen
-- How many messages would be sent once more: what waits to be sent anyway does not count. Step: chosen.
SELECT count(*)::integer AS messages
FROM chosen
WHERE NOT EXISTS (SELECT FROM outbox WHERE outbox.postback_id = chosen.postback_id);

-- name: replay
-- How many messages are sent once more. Step: replayed.
SELECT count(*)::integer AS messages FROM replayed;

-- name: step-replayed
-- Step replayed. One row per message that is sent once more; one that waits to be sent is not. Step: chosen.
INSERT INTO outbox (
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host, is_replay
)
SELECT
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host, true
FROM chosen
ORDER BY place, kind
ON CONFLICT (postback_id) DO NOTHING
RETURNING postback_id;
