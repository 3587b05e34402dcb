-- One row per store listing of project $1.
SELECT id, store_listing_id, name, platform, url FROM store_listings WHERE project_id = $1 ORDER BY id
