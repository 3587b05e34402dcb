-- name: list
-- One row per note of project $1 of the days from $2 to $3, by day: at most $4.
SELECT id, day::text AS day, text, created_by, created_at, updated_at
FROM annotations
WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date
ORDER BY annotations.day, id
LIMIT $4;

-- name: create
-- Writes a note of project $1 on day $2 that says $3, by $4, unless the project has $5 already.
INSERT INTO annotations (project_id, day, text, created_by)
SELECT $1, $2::date, $3, $4
WHERE (SELECT count(*) FROM annotations WHERE project_id = $1) < $5
RETURNING id, day::text AS day, text, created_by, created_at, updated_at;

-- name: change
-- Gives note $2 of project $1 day $3 and text $4.
UPDATE annotations SET day = $3::date, text = $4, updated_at = now()
WHERE project_id = $1 AND id = $2
RETURNING id, day::text AS day, text, created_by, created_at, updated_at;

-- name: delete
-- Deletes note $2 of project $1.
DELETE FROM annotations WHERE project_id = $1 AND id = $2 RETURNING id;
