-- How many campaigns of partner $1 are not deleted and have $2 in their name or display_id, in any case.
SELECT count(*) AS total
FROM campaigns
WHERE partner_id = $1 AND deleted_at IS NULL
  AND (strpos(lower(name), lower($2)) > 0 OR strpos(lower(display_id), lower($2)) > 0)
