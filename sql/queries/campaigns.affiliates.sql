-- One row a partner with a campaign in project $1, looked for partner by partner: campaigns can be many.
SELECT id, name
FROM partners
WHERE (SELECT true FROM campaigns WHERE campaigns.project_id = $1 AND campaigns.partner_id = partners.id AND deleted_at IS NULL LIMIT 1)
