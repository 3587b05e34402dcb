-- How many campaigns the list of the same $1 to $7 has.
SELECT count(*) AS total
FROM campaigns
WHERE project_id = $1 AND deleted_at IS NULL
  AND ($2::boolean IS NULL OR active = $2)
  AND ($3::text IS NULL OR network = $3)
  AND ($4::integer[] IS NULL OR partner_id = ANY ($4))
  AND ($5::integer IS NULL OR coalesce(domain_id, $6) = $5)
  AND ($7::text IS NULL OR display_id = $7)
