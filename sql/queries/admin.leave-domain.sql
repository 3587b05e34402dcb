-- Lets the campaigns of project $1 that have domain $2 use the project's primary one, at revision $3.
UPDATE campaigns SET domain_id = NULL, revision = $3 WHERE project_id = $1 AND domain_id = $2
