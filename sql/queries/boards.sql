-- name: list
-- One row per board of project $1, by name: $2 of them after the first $3; with how much it shows, and how many links
-- to it work at $4.
SELECT boards.id, boards.name, boards.created_by, boards.created_at, boards.updated_at,
  (SELECT count(*) FROM board_items WHERE board_items.board_id = boards.id) AS items,
  (
    SELECT count(*) FROM board_links
    WHERE board_links.board_id = boards.id AND revoked_at IS NULL AND expires_at > $4
  ) AS links
FROM boards
WHERE boards.project_id = $1
ORDER BY boards.name COLLATE "C", boards.id
LIMIT $2 OFFSET $3;

-- name: count
-- How many boards project $1 has.
SELECT count(*) AS total FROM boards WHERE project_id = $1;

-- name: find
-- Board $2 of project $1.
SELECT id, name, created_by, created_at, updated_at, annotations FROM boards WHERE project_id = $1 AND id = $2;

-- name: items
-- One row per item of board $2 of project $1, in their order, with the question that it shows.
SELECT item.question_id, item.heading, item.x, item.y, item.w, item.h, saved_questions.name, saved_questions.question,
  saved_questions.updated_at
FROM board_items AS item
LEFT JOIN saved_questions ON saved_questions.project_id = item.project_id AND saved_questions.id = item.question_id
WHERE item.project_id = $1 AND item.board_id = $2
ORDER BY item.position;

-- name: create
-- Makes a board of project $1, called $2, by $3, unless the project has $4 already; with notes where $5 says so.
INSERT INTO boards (project_id, name, created_by, annotations)
SELECT $1, $2, $3, $5
WHERE (SELECT count(*) FROM boards WHERE project_id = $1) < $4
RETURNING id;

-- name: rename
-- Gives board $2 of project $1 name $3, and notes where $4 says so. Until the transaction ends nobody else changes it.
UPDATE boards SET name = $3, annotations = $4, updated_at = now() WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: delete-items
-- Takes everything off board $2 of project $1.
DELETE FROM board_items WHERE project_id = $1 AND board_id = $2;

-- name: add-items
-- Puts items on board $2 of project $1: in their order the elements of $3.
INSERT INTO board_items (project_id, board_id, position, question_id, heading, x, y, w, h)
SELECT $1, $2, item.number - 1, item.question_id, item.heading, item.x, item.y, item.w, item.h
FROM ROWS FROM (
  jsonb_to_recordset($3::jsonb) AS (question_id integer, heading text, x integer, y integer, w integer, h integer)
) WITH ORDINALITY AS item (question_id, heading, x, y, w, h, number);

-- name: missing-questions
-- Those of the questions $2 that project $1 does not have; the others are not deleted before the transaction ends.
SELECT wanted.id
FROM unnest($2::integer[]) AS wanted (id)
LEFT JOIN (SELECT id FROM saved_questions WHERE project_id = $1 AND id = ANY ($2) FOR KEY SHARE) AS present
  ON present.id = wanted.id
WHERE present.id IS NULL;

-- name: delete
-- Deletes board $2 of project $1, with its items and links.
DELETE FROM boards WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: links
-- One row per link to board $2 of project $1, the newest first.
SELECT id, created_by, created_at, expires_at, revoked_at
FROM board_links
WHERE project_id = $1 AND board_id = $2
ORDER BY id DESC;

-- name: lock
-- Board $2 of project $1, which nobody else changes until the transaction ends.
SELECT name FROM boards WHERE project_id = $1 AND id = $2 FOR UPDATE;

-- name: forget-links
-- Forgets the links to board $2 of project $1 that have not worked since $3.
DELETE FROM board_links
WHERE project_id = $1 AND board_id = $2 AND (expires_at < $3 OR revoked_at < $3);

-- name: create-link
-- Makes a link to board $2 of project $1, called $3, with token hash $4, by $5, that works until $6, unless $7 work at
-- $8 already.
INSERT INTO board_links (project_id, board_id, name, sha256, created_by, expires_at)
SELECT $1, $2, $3, $4, $5, $6
WHERE (
  SELECT count(*) FROM board_links WHERE project_id = $1 AND board_id = $2 AND revoked_at IS NULL AND expires_at > $8
) < $7
RETURNING id, created_by, created_at, expires_at, revoked_at;

-- name: revoke-link
-- Revokes link $3 to board $2 of project $1; a second time nothing changes.
UPDATE board_links SET revoked_at = coalesce(revoked_at, now())
WHERE project_id = $1 AND board_id = $2 AND id = $3
RETURNING id;

-- name: board-of-link
-- The board that the link with token hash $1 shows at $2.
SELECT project_id, board_id FROM board_links WHERE sha256 = $1 AND revoked_at IS NULL AND expires_at > $2;

-- name: about
-- What the figures of project $1 are in, and its name.
SELECT name AS project, currency, timezone, locale FROM projects WHERE id = $1;
