-- name: list
-- One row per alert of project $1, by name; of $2 where it is given, an ID. With its saved question, and the name of
-- the partner that it waits for.
SELECT
  alert.id, alert.name, alert.question, alert.question_id, alert.condition, alert.enabled, alert.created_by,
  alert.created_at, alert.updated_at, alert.judged, alert.judged_at, alert.outcome,
  partner.name AS partner,
  (
    SELECT jsonb_build_object('name', saved.name, 'question', saved.question)
    FROM saved_questions AS saved
    WHERE saved.id = alert.question_id
  ) AS saved,
  (
    SELECT coalesce(
      jsonb_agg(
        jsonb_build_object('value', breach.value, 'label', breach.label, 'since', breach.since)
        ORDER BY breach.since, breach.value
      ),
      '[]'
    )
    FROM alert_breaches AS breach
    WHERE breach.alert_id = alert.id
  ) AS breaches
FROM alerts AS alert
LEFT JOIN partners AS partner ON partner.id = (alert.condition ->> 'partner_id')::integer
WHERE alert.project_id = $1 AND ($2::integer IS NULL OR alert.id = $2)
ORDER BY alert.name COLLATE "C", alert.id;

-- name: create
-- Makes an alert of project $1, unless it has $8 already.
INSERT INTO alerts (project_id, name, question, question_id, condition, enabled, created_by)
SELECT $1, $2, $3::jsonb, $4, $5::jsonb, $6, $7
WHERE (SELECT count(*) FROM alerts WHERE project_id = $1) < $8
RETURNING id;

-- name: change
-- Replaces alert $2 of project $1. A judgement that is under way is not noted.
UPDATE alerts
SET name = $3, question = $4::jsonb, question_id = $5, condition = $6::jsonb, enabled = $7, updated_at = now(),
  turn = turn + 1, due_at = now(), judged = NULL, judged_at = NULL, outcome = NULL
WHERE project_id = $1 AND id = $2
RETURNING id;

-- name: rename
-- Gives alert $2 of project $1 the name $3, and says whether it is judged: what it waits for stays as it is.
UPDATE alerts SET name = $3, enabled = $4, updated_at = now(), due_at = now() WHERE project_id = $1 AND id = $2
RETURNING id;

-- name: lock
-- Alert $2 of project $1, which nobody else changes meanwhile; `is_same`: it asks $3 or $4 and waits for $5.
SELECT
  id,
  question IS NOT DISTINCT FROM $3::jsonb AND question_id IS NOT DISTINCT FROM $4::integer AND condition = $5::jsonb
    AS is_same
FROM alerts
WHERE project_id = $1 AND id = $2
FOR UPDATE;

-- name: delete
-- Deletes alert $2 of project $1 with all that it has told.
DELETE FROM alerts WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: clear-breaches
-- Forgets where alert $1 has fired.
DELETE FROM alert_breaches WHERE alert_id = $1;

-- name: take-up
-- Takes up to $1 alerts up that are due, for $2 seconds; one row per alert, with its question and where it has fired.
WITH taken AS (
  UPDATE alerts
  SET due_at = now() + make_interval(secs => $2), turn = turn + 1
  WHERE id IN (
    SELECT id FROM alerts WHERE enabled AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING id, project_id, name, turn, question, question_id, condition, judged, outcome
)
SELECT
  taken.id, taken.project_id, taken.name, taken.turn, taken.condition, taken.judged, taken.outcome,
  coalesce(taken.question, saved.question) AS question,
  coalesce((SELECT array_agg(breach.value) FROM alert_breaches AS breach WHERE breach.alert_id = taken.id), '{}')
    AS breached
FROM taken
LEFT JOIN saved_questions AS saved ON saved.project_id = taken.project_id AND saved.id = taken.question_id;

-- name: hold
-- Alert $1 in turn $2, locked; no row where it was judged or changed by another since.
SELECT id FROM alerts WHERE id = $1 AND turn = $2 FOR UPDATE;

-- name: note
-- Notes that alert $1 was judged for $2 with outcome $3, and is due again in $4 seconds.
UPDATE alerts
SET judged = coalesce($2, judged), judged_at = CASE WHEN $2::text IS NULL THEN judged_at ELSE now() END,
  outcome = coalesce($3::jsonb, outcome), due_at = now() + make_interval(secs => $4)
WHERE id = $1;

-- name: add-event
-- Notes that alert $1 fired or is over, $2, with details $3.
INSERT INTO alert_events (alert_id, kind, details) VALUES ($1, $2, $3::jsonb) RETURNING id;

-- name: add-breaches
-- Notes that alert $1 has fired for $2, values that are called $3.
INSERT INTO alert_breaches (alert_id, value, label)
SELECT $1, breach.value, breach.label FROM unnest($2::text[], $3::text[]) AS breach (value, label)
ON CONFLICT DO NOTHING;

-- name: end-breaches
-- Notes that alert $1 is over for $2, values.
DELETE FROM alert_breaches WHERE alert_id = $1 AND value = ANY($2::text[]);

-- name: events
-- One row per event of alert $1, the latest first: $2 of them before the one of ID $3, with the messages of each.
SELECT
  event.id, event.kind, event.at, event.details,
  (
    SELECT coalesce(
      jsonb_agg(
        jsonb_build_object(
          'to', notice.shown, 'state', notice.state, 'attempts', notice.attempts, 'error', notice.error,
          'at', notice.done_at
        )
        ORDER BY notice.id
      ),
      '[]'
    )
    FROM notices AS notice
    WHERE notice.event_id = event.id
  ) AS messages
FROM alert_events AS event
WHERE event.alert_id = $1 AND ($3::bigint IS NULL OR event.id < $3)
ORDER BY event.id DESC
LIMIT $2;

-- name: event
-- One row: event $1, with its alert and project.
SELECT event.kind, event.at, event.details, alert.id AS alert_id, alert.name, alert.condition,
  projects.id AS project_id, projects.name AS project
FROM alert_events AS event
JOIN alerts AS alert ON alert.id = event.alert_id
JOIN projects ON projects.id = alert.project_id
WHERE event.id = $1;

-- name: project
-- What is known of project $1: its name and zone, and when it began.
SELECT name, timezone, created_at FROM projects WHERE id = $1;

-- name: campaign
-- The ID of the campaign of project $1 that is called $2, deleted or not.
SELECT id FROM campaigns WHERE project_id = $1 AND display_id = $2;

-- name: partner
-- Partner $2, where it has a campaign in project $1 or a switch of it.
SELECT id
FROM partners
WHERE id = $2 AND (
  EXISTS (SELECT FROM campaigns WHERE project_id = $1 AND partner_id = $2)
  OR EXISTS (SELECT FROM partner_switches WHERE project_id = $1 AND partner_id = $2)
);

-- name: export
-- The scheduled export of project $1 that is called $2.
SELECT id FROM scheduled_exports WHERE project_id = $1 AND name = $2;
