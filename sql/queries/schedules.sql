-- name: list
-- One row per schedule of project $1, by name; of $2 where it is given, an ID. With the time at which it was sent last.
SELECT
  schedule.id, schedule.name, schedule.board_id, boards.name AS board, schedule.every, schedule.weekday,
  schedule.month_day, schedule.hour, schedule.enabled, schedule.created_by, schedule.created_at, schedule.updated_at,
  CASE WHEN schedule.enabled THEN schedule.next_at END AS next_at, projects.timezone,
  (
    SELECT max(notice.done_at)
    FROM schedule_runs AS run
    JOIN notices AS notice ON notice.run_id = run.id
    WHERE run.schedule_id = schedule.id AND notice.state = 'sent'
  ) AS sent_at
FROM schedules AS schedule
JOIN boards ON boards.id = schedule.board_id
JOIN projects ON projects.id = schedule.project_id
WHERE schedule.project_id = $1 AND ($2::integer IS NULL OR schedule.id = $2)
ORDER BY schedule.name COLLATE "C", schedule.id;

-- name: create
-- Makes a schedule of project $1, unless it has $11 already.
INSERT INTO schedules (project_id, name, board_id, every, weekday, month_day, hour, enabled, created_by, next_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
WHERE (SELECT count(*) FROM schedules WHERE project_id = $1) < $11
RETURNING id;

-- name: change
-- Replaces schedule $2 of project $1.
UPDATE schedules
SET name = $3, board_id = $4, every = $5, weekday = $6, month_day = $7, hour = $8, enabled = $9, next_at = $10,
  updated_at = now()
WHERE project_id = $1 AND id = $2
RETURNING id;

-- name: delete
-- Deletes schedule $2 of project $1, with the ledger of what it has sent.
DELETE FROM schedules WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: take-due
-- One schedule that is due at $1, locked until the end of the transaction; no row where another process has it.
SELECT schedule.id, schedule.every, schedule.weekday, schedule.month_day, schedule.hour, schedule.next_at,
  projects.timezone
FROM schedules AS schedule
JOIN projects ON projects.id = schedule.project_id
WHERE schedule.enabled AND schedule.next_at <= $1
ORDER BY schedule.next_at
LIMIT 1
FOR UPDATE OF schedule SKIP LOCKED;

-- name: set-next
-- Schedule $1 is due again at $2.
UPDATE schedules SET next_at = $2 WHERE id = $1;

-- name: add-run
-- Notes that schedule $1 was due at $2, with ranges up to the day of $3; no row where that is noted already.
INSERT INTO schedule_runs (schedule_id, due_at, as_of) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id;

-- name: run
-- One row: run $1, with its schedule, board and project.
SELECT run.as_of, run.due_at, schedule.id AS schedule_id, schedule.name, boards.name AS board, boards.id AS board_id,
  projects.id AS project_id, projects.name AS project, projects.timezone, projects.currency
FROM schedule_runs AS run
JOIN schedules AS schedule ON schedule.id = run.schedule_id
JOIN boards ON boards.id = schedule.board_id
JOIN projects ON projects.id = schedule.project_id
WHERE run.id = $1;

-- name: items
-- One row per item of board $1, in the order of reading: a heading, or a saved question.
SELECT item.heading, saved.name, saved.question
FROM board_items AS item
LEFT JOIN saved_questions AS saved ON saved.project_id = item.project_id AND saved.id = item.question_id
WHERE item.board_id = $1
ORDER BY item.position;

-- name: board
-- Board $2 of project $1.
SELECT id FROM boards WHERE project_id = $1 AND id = $2;

-- name: address-of-person
-- The address of person $1.
SELECT email FROM users WHERE id = $1;

-- name: timezone
-- The time zone of project $1.
SELECT timezone FROM projects WHERE id = $1;

-- name: runs
-- One row per run of schedule $1, the latest first, at most $2, with its messages.
SELECT
  run.id, run.due_at, run.created_at,
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
    WHERE notice.run_id = run.id
  ) AS messages
FROM schedule_runs AS run
WHERE run.schedule_id = $1
ORDER BY run.id DESC
LIMIT $2;
