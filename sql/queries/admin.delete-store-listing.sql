-- Deletes store listing $2 of project $1.
DELETE FROM store_listings WHERE project_id = $1 AND id = $2 RETURNING id
