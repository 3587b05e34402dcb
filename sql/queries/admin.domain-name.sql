-- The name of domain $2 of project $1.
SELECT name FROM domains WHERE project_id = $1 AND id = $2
