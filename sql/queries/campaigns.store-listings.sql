-- The store listings $2 of project $1.
SELECT id, store_listing_id, name, platform FROM store_listings WHERE project_id = $1 AND store_listing_id = ANY ($2)
