-- name: campaigns
-- One row per campaign of $1, deleted ones too.
SELECT id, display_id, name FROM campaigns WHERE id = ANY($1::integer[]);

-- name: places
-- One row per project of $1, and per partner of $2: what it is called.
SELECT 'project' AS what, id, name FROM projects WHERE id = ANY($1::integer[])
UNION ALL
SELECT 'partner' AS what, id, name FROM partners WHERE id = ANY($2::integer[]);
