-- One row per store listing that leads anywhere.
SELECT id, platform, url FROM store_listings WHERE url IS NOT NULL
