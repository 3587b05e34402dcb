-- One row per campaign of project $1 with one of the display_ids $2, unless it is deleted.
SELECT display_id, id FROM campaigns WHERE project_id = $1 AND display_id = ANY ($2) AND deleted_at IS NULL
