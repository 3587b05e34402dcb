-- One row per store listing that leads anywhere, the oldest first.
SELECT id, project_id, platform, url FROM store_listings WHERE url IS NOT NULL ORDER BY id
