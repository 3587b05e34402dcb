-- Deletes app $2 of project $1. What it sent stays.
DELETE FROM apps WHERE project_id = $1 AND id = $2 RETURNING app_id
