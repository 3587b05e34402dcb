-- The first $3 campaigns of project $1, by display ID, that have store listing $2; deleted ones do not count.
SELECT display_id AS name
FROM campaigns
WHERE project_id = $1 AND deleted_at IS NULL AND $2 = ANY (store_listing_ids)
ORDER BY display_id
LIMIT $3
