-- name: list
-- One row per saved question of project $1, by name: $2 of them after the first $3.
SELECT id, name, question, created_by, created_at, updated_at
FROM saved_questions
WHERE project_id = $1
ORDER BY name COLLATE "C", id
LIMIT $2 OFFSET $3;

-- name: count
-- How many questions project $1 has saved.
SELECT count(*) AS total FROM saved_questions WHERE project_id = $1;

-- name: find
-- Saved question $2 of project $1.
SELECT id, name, question, created_by, created_at, updated_at FROM saved_questions WHERE project_id = $1 AND id = $2;

-- name: find-alike
-- The saved question of project $1 that is called $2 and asks $3; of any other question the name is taken.
SELECT id, question = $3::jsonb AS is_same FROM saved_questions WHERE project_id = $1 AND name = $2;

-- name: create
-- Saves question $3 under name $2 for project $1, by $4, unless the project has $5 already.
INSERT INTO saved_questions (project_id, name, question, created_by)
SELECT $1, $2, $3::jsonb, $4
WHERE (SELECT count(*) FROM saved_questions WHERE project_id = $1) < $5
RETURNING id, name, question, created_by, created_at, updated_at;

-- name: change
-- Gives saved question $2 of project $1 name $3 and question $4.
UPDATE saved_questions SET name = $3, question = $4::jsonb, updated_at = now()
WHERE project_id = $1 AND id = $2
RETURNING id, name, question, created_by, created_at, updated_at;

-- name: delete
-- Deletes saved question $2 of project $1.
DELETE FROM saved_questions WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: boards-of
-- The names of the boards of project $1 that show question $2.
SELECT DISTINCT boards.name
FROM board_items
JOIN boards ON boards.id = board_items.board_id
WHERE board_items.project_id = $1 AND board_items.question_id = $2
ORDER BY boards.name;
