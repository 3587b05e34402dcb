-- name: project
-- The time zone of project $1, in which its days are.
SELECT timezone FROM projects WHERE id = $1;

-- name: campaigns
-- One row per campaign of project $1 with an ID in $2, deleted ones too: an install stays theirs.
SELECT id, display_id, name, network FROM campaigns WHERE project_id = $1 AND id = ANY ($2);

-- name: partners
-- One row per partner with an ID in $1.
SELECT id, name FROM partners WHERE id = ANY ($1);
