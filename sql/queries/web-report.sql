-- name: campaigns
-- One row per campaign among $2 of project $1: what rows of the web report show of it.
SELECT campaigns.id, campaigns.display_id, campaigns.deeplink, campaigns.is_shortlink, domains.name AS own_domain,
  EXISTS (SELECT FROM campaign_pauses WHERE campaign_id = campaigns.id AND unpaused_at IS NULL) AS paused
FROM campaigns LEFT JOIN domains ON domains.id = campaigns.domain_id
WHERE campaigns.project_id = $1 AND campaigns.id = ANY ($2::integer[]) AND campaigns.deleted_at IS NULL;
