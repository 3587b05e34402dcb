-- One row per campaign of project $1 with an ID in $2, deleted ones too: an install stays theirs.
SELECT id, display_id, name, network FROM campaigns WHERE project_id = $1 AND id = ANY ($2)
