-- Gives the campaigns of the array $1 their networks' names, with revision $2, unless somebody else has named them.
UPDATE campaigns
SET name = wanted.name, revision = $2, updated_at = now()
FROM jsonb_to_recordset($1) AS wanted (id integer, name text)
WHERE campaigns.id = wanted.id AND campaigns.named_by_network
