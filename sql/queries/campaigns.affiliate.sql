-- The partner with a campaign in project $1 whose name, in capitals and with underscores for spaces, is $2.
SELECT partners.id
FROM partners
WHERE replace(upper(partners.name), ' ', '_') = $2
  AND EXISTS (SELECT FROM campaigns WHERE campaigns.project_id = $1 AND campaigns.partner_id = partners.id AND deleted_at IS NULL)
ORDER BY partners.id
LIMIT 1
