-- name: list
-- One row per export of project $1, with its state; only export $2 where that is not null.
SELECT export.*, project.timezone, coalesce(state.failures, 0) AS failures, coalesce(state.error, '') AS error,
  state.failed_at, state.complete_until
FROM scheduled_exports AS export
JOIN projects AS project ON project.id = export.project_id
LEFT JOIN export_states AS state ON state.export_id = export.id
WHERE export.project_id = $1 AND ($2::integer IS NULL OR export.id = $2)
ORDER BY export.name;

-- name: doing
-- One row per export of the projects $1 (of all where that is null) that is written: how long it has been behind at $2
-- and failed, in seconds, those that have failed longest first, then those furthest behind; $3 of them. Each with how
-- many there are, how many fail, how many others are behind by more than $4 seconds, and the longest lag of all.
WITH doing AS (
  SELECT export.id, export.name, export.project_id, project.name AS project,
    CASE WHEN state.failures > 0 THEN state.error END AS error,
    CASE WHEN state.failures > 0 THEN coalesce(state.failing_since, state.failed_at) END AS failing_since,
    greatest(0, extract(epoch FROM $2::timestamptz - coalesce(
      state.next_ends_at,
      -- Nobody has looked yet: the period in which it was made is the first.
      (date_trunc(export.every, export.created_at AT TIME ZONE zone.name) + ('1 ' || export.every)::interval)
        AT TIME ZONE zone.name
    ))) AS lag
  FROM scheduled_exports AS export
  JOIN projects AS project ON project.id = export.project_id
  LEFT JOIN export_states AS state ON state.export_id = export.id
  CROSS JOIN LATERAL (
    SELECT CASE export.kind WHEN 'query' THEN project.timezone ELSE 'UTC' END AS name
  ) AS zone
  WHERE export.enabled AND ($1::integer[] IS NULL OR export.project_id = ANY ($1))
)
SELECT id, name, project_id, project, error, failing_since, round(lag)::float8 AS lag_seconds,
  round(greatest(0, extract(epoch FROM $2::timestamptz - failing_since)))::float8 AS failing_seconds,
  count(*) OVER ()::integer AS enabled,
  count(failing_since) OVER ()::integer AS failing,
  count(*) FILTER (WHERE failing_since IS NULL AND lag > $4) OVER ()::integer AS late,
  round(max(lag) OVER ())::float8 AS longest_lag_seconds
FROM doing
ORDER BY failing_since NULLS LAST, lag DESC, id
LIMIT $3;

-- name: add-states
-- Every export has a state.
INSERT INTO export_states (export_id) SELECT id FROM scheduled_exports ON CONFLICT DO NOTHING;

-- name: due
-- The export that is due at $1 and has waited longest, which nobody writes now: of the operator's, those that go to a
-- destination of the types $2; of those of projects, to one of the types $3; of no project of $4. Those that failed
-- last where $5, else the others.
SELECT export.*, project.timezone, state.failures, state.error, state.failed_at, state.complete_until, state.due_at
FROM scheduled_exports AS export
JOIN projects AS project ON project.id = export.project_id
JOIN export_states AS state ON state.export_id = export.id
WHERE export.enabled AND state.due_at <= $1 AND (state.failures > 0) = $5
  AND NOT export.project_id = ANY ($4::integer[])
  AND export.destination->>'type' = ANY (CASE export.declared_by WHEN 'operator' THEN $2::text[] ELSE $3::text[] END)
  AND NOT EXISTS (
    SELECT FROM pg_locks AS held
    WHERE held.locktype = 'advisory' AND held.classid = 7203050 AND held.objid = export.id
      AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  )
ORDER BY state.due_at
LIMIT 1;

-- name: try-lock
-- Whether this connection is now the one that writes export $1.
SELECT pg_try_advisory_lock(7203050, $1) AS acquired;

-- name: unlock
-- The export $1 may be written by another connection.
SELECT pg_advisory_unlock(7203050, $1) AS released;

-- name: note-looked
-- The export $1, which was due at $3, went well: it is looked at again at $2, or now where that is asked for since.
UPDATE export_states
SET due_at = CASE WHEN due_at = $3 THEN $2 ELSE due_at END, failures = 0
WHERE export_id = $1;

-- name: note-complete
-- The records of export $1 are complete up to $2.
UPDATE export_states SET complete_until = $2 WHERE export_id = $1;

-- name: note-next
-- The first period of export $1 that is not written ends at $2.
UPDATE export_states SET next_ends_at = $2 WHERE export_id = $1;

-- name: note-failure
-- The export $1, which was due at $5, failed at $2 because of $3, and is tried again at $4, or now where that is asked
-- for since: its keys have changed.
UPDATE export_states
SET failures = failures + 1, failed_at = $2, error = $3, due_at = CASE WHEN due_at = $5 THEN $4 ELSE due_at END,
  failing_since = CASE WHEN failures = 0 THEN $2 ELSE coalesce(failing_since, $2) END
WHERE export_id = $1;

-- name: missing
-- One row per period of export $1 that is not written, the latest first, $6 of them, each with how many there are and
-- the first: those of $4 (hour or day) from $2 until before $3, and those of back-fills where $5.
WITH ranges AS (
  SELECT $2::timestamp AS since, $3::timestamp AS until
  UNION ALL
  SELECT from_day::timestamp, least((to_day + 1)::timestamp, $3::timestamp)
  FROM export_backfills
  WHERE export_id = $1 AND $5
),
wanted AS (
  SELECT DISTINCT to_char(at, CASE $4 WHEN 'hour' THEN 'YYYY-MM-DD"T"HH24' ELSE 'YYYY-MM-DD' END) AS period
  FROM ranges, generate_series(since, until - ('1 ' || $4)::interval, ('1 ' || $4)::interval) AS at
)
SELECT period, count(*) OVER () AS total, min(period) OVER () AS first
FROM wanted
WHERE NOT EXISTS (
  SELECT FROM export_periods AS written
  WHERE written.export_id = $1 AND written.period = wanted.period AND written.state = 'written'
)
ORDER BY period DESC
LIMIT $6;

-- name: to-check
-- One row per written period of export $1 to be compared with its rows, in their order: those from $2 on where they
-- were compared before $3, all before $4, and all that were compared before somebody of the project was forgotten; $5.
-- Each with whether former revisions are still there.
SELECT period, revision, fingerprint, rows::float8 AS rows, EXISTS (
  SELECT FROM export_periods AS former
  WHERE former.export_id = $1 AND former.period = written.period AND former.state = 'former'
) AS has_former
FROM export_periods AS written
WHERE export_id = $1 AND state = 'written' AND (
  (period >= $2 AND checked_at < $3) OR checked_at < $4 OR checked_at < (
    SELECT max(greatest(request.hidden_at, request.removed_at))
    FROM erasure_requests AS request
    JOIN scheduled_exports AS export ON export.project_id = request.project_id
    WHERE export.id = $1
  )
)
ORDER BY period
LIMIT $5;

-- name: note-checked
-- The periods $2 of export $1 were as they are at $3.
UPDATE export_periods SET checked_at = $3 WHERE export_id = $1 AND state = 'written' AND period = ANY ($2);

-- name: begun
-- The revision $3 of period $2 of export $1, where it was begun last and is not noted as written.
SELECT revision FROM export_periods WHERE export_id = $1 AND period = $2 AND revision = $3 AND state = 'writing';

-- name: abandon
-- What was begun of period $2 of export $1 and not written is a former revision: it goes at $3, or at $4 where its
-- manifest was sent.
UPDATE export_periods
SET state = 'former', remove_at = CASE WHEN remove_at IS NULL THEN $3::timestamptz ELSE $4::timestamptz END
WHERE export_id = $1 AND period = $2 AND state = 'writing';

-- name: note-found
-- The revisions $3 of period $2 of export $1 are there. Those that the ledger does not know, or takes for removed, go
-- at $4, and so does a former one whose manifest stands there: $5.
INSERT INTO export_periods AS one (export_id, period, revision, state, remove_at)
SELECT $1::integer, $2::text, found.revision, 'former', $4::timestamptz FROM unnest($3::integer[]) AS found (revision)
ON CONFLICT (export_id, period, revision) DO UPDATE SET state = 'former', remove_at = $4
WHERE one.state = 'removed' OR (one.state = 'former' AND one.revision = $5);

-- name: begin-revision
-- The revision of period $2 of export $1 that is written now: after all of the ledger, and after $3.
INSERT INTO export_periods (export_id, period, revision, state)
SELECT $1::integer, $2::text, greatest(coalesce(max(revision), 0), $3::integer) + 1, 'writing'
FROM export_periods
WHERE export_id = $1 AND period = $2
RETURNING revision;

-- name: note-publishing
-- The manifest of revision $3 of period $2 of export $1 is sent at $4.
UPDATE export_periods SET remove_at = $4 WHERE export_id = $1 AND period = $2 AND revision = $3 AND state = 'writing';

-- name: replace-written
-- What was written of period $2 of export $1 before is a former revision, which goes at $3.
UPDATE export_periods SET state = 'former', remove_at = $3
WHERE export_id = $1 AND period = $2 AND state = 'written';

-- name: note-written
-- The revision $3 of period $2 of export $1 is whole.
UPDATE export_periods
SET state = 'written', fingerprint = $4, rows = $5, bytes = $6, complete_until = $7, written_at = $8, checked_at = $9,
  remove_at = NULL
WHERE export_id = $1 AND period = $2 AND revision = $3;

-- name: to-remove
-- One row per former revision of export $1 whose time is over at $2, $3 of them.
SELECT period, revision
FROM export_periods
WHERE export_id = $1 AND state = 'former' AND remove_at <= $2
ORDER BY remove_at
LIMIT $3;

-- name: note-removed
-- The revision $3 of period $2 of export $1 is gone.
UPDATE export_periods SET state = 'removed' WHERE export_id = $1 AND period = $2 AND revision = $3;

-- name: progress
-- One row: what export $1 has written, and the latest period.
SELECT count(*)::integer AS periods, coalesce(sum(rows), 0)::bigint AS rows, coalesce(sum(bytes), 0)::bigint AS bytes,
  max(period) AS latest, max(written_at) AS written_at
FROM export_periods
WHERE export_id = $1 AND state = 'written';

-- name: add-backfill
-- The export $1 is written for the days $2 to $3 too. Nothing where it has $4 back-fills already.
INSERT INTO export_backfills (export_id, from_day, to_day)
SELECT $1, $2, $3 WHERE (SELECT count(*) FROM export_backfills WHERE export_id = $1) < $4
RETURNING id;

-- name: backfills
-- One row per back-fill of export $1, the latest first, with how many periods it has and how many of them are written.
SELECT backfill.id, from_day AS "from", to_day AS "to", asked_at,
  (to_day - from_day + 1) * CASE export.every WHEN 'hour' THEN 24 ELSE 1 END AS periods,
  (
    SELECT count(*)::integer FROM export_periods AS written
    WHERE written.export_id = $1 AND written.state = 'written'
      AND left(written.period, 10) BETWEEN from_day::text AND to_day::text
  ) AS periods_written
FROM export_backfills AS backfill
JOIN scheduled_exports AS export ON export.id = backfill.export_id
WHERE backfill.export_id = $1
ORDER BY backfill.id DESC;

-- name: look-soon
-- The export $1 is looked at at once, unless it waits after a failure.
UPDATE export_states SET due_at = now() WHERE export_id = $1 AND failures = 0;

-- name: place-of-others
-- The place $1, where an export other than the one of project $2 that is named $3 writes to it.
SELECT place FROM scheduled_exports WHERE place = $1 AND NOT (project_id = $2 AND name = $3);

-- name: places
-- One row per export of project $1, and the one of another that writes to $2, if there is one: its place.
SELECT id, place, destination FROM scheduled_exports WHERE project_id = $1 OR place = $2;

-- name: living
-- The export $1, where it is there and writes to the place $2, with whatever keys.
SELECT id FROM scheduled_exports WHERE id = $1 AND regexp_replace(place, '^[0-9a-f]{16}@', '') = $2;

-- name: names
-- One row per export of project $1: its name.
SELECT name FROM scheduled_exports WHERE project_id = $1;

-- name: project
-- The time zone of project $1.
SELECT timezone FROM projects WHERE id = $1;

-- name: create
-- Makes an export that project $1 has declared itself.
INSERT INTO scheduled_exports (project_id, name, kind, query, format, every, destination, place, enabled, created_at,
  declared_by, keys_changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'project', $11)
RETURNING id;

-- name: set-enabled
-- Whether the export $1 is written.
UPDATE scheduled_exports SET enabled = $2 WHERE id = $1;

-- name: put-keys
-- The keys of the bucket of export $1.
INSERT INTO export_keys (id, access_key, secret) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET access_key = excluded.access_key, secret = excluded.secret;

-- name: note-keys
-- The keys of the bucket of export $1 were set at $2, by which its place is $3.
UPDATE scheduled_exports SET keys_changed_at = $2, place = $3 WHERE id = $1;

-- name: keys
-- The keys of the bucket of export $1, sealed.
SELECT access_key, secret FROM export_keys WHERE id = $1;

-- name: look-again
-- The export $1 is looked at before all others, even if it waits after a failure. No two times are the same: a turn
-- that is under way must see that it is to be looked at once more.
UPDATE export_states SET due_at = 'epoch'::timestamptz + random() * interval '1 hour' WHERE export_id = $1;

-- name: try-lock-in-transaction
-- Whether no connection writes export $1 until this transaction ends.
SELECT pg_try_advisory_xact_lock(7203050, $1) AS acquired;

-- name: delete
-- The export $1 goes, with its ledger and its keys.
DELETE FROM scheduled_exports WHERE id = $1;

-- name: is-wanted
-- The export $1, while it is there and is written.
SELECT id FROM scheduled_exports WHERE id = $1 AND enabled;
