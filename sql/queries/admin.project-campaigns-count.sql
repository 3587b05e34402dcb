-- How many campaigns of project $1 are not deleted.
SELECT count(*) AS total FROM campaigns WHERE project_id = $1 AND deleted_at IS NULL
