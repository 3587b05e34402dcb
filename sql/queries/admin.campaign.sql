-- The campaign $2 of project $1, if it is not deleted.
SELECT id, display_id FROM campaigns WHERE project_id = $1 AND display_id = $2 AND deleted_at IS NULL
