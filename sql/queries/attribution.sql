-- name: campaigns
-- One row per campaign of project $1 with an ID in $2, deleted ones too: a campaign stays credited after it is deleted.
SELECT campaigns.id, campaigns.display_id, campaigns.name, campaigns.network, campaigns.network_campaign_id,
  campaigns.deeplink, campaigns.is_shortlink,
  partners.name AS partner, domains.name AS own_domain
FROM campaigns
LEFT JOIN partners ON partners.id = campaigns.partner_id
LEFT JOIN domains ON domains.id = campaigns.domain_id
WHERE campaigns.project_id = $1 AND campaigns.id = ANY ($2);
