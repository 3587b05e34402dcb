-- Deletes domain $2 of project $1, which is pending.
DELETE FROM pending_domains WHERE project_id = $1 AND id = $2 RETURNING id
