-- One row a partner with a campaign in project $1.
SELECT id, name
FROM partners
WHERE EXISTS (SELECT FROM campaigns WHERE campaigns.project_id = $1 AND campaigns.partner_id = partners.id AND deleted_at IS NULL)
