-- name: link
-- What the link of campaign $2 of project $1 is made of.
SELECT campaigns.name, campaigns.deeplink, campaigns.is_shortlink, domains.name AS own_domain,
  campaigns.website, campaigns.ios_web_redirect, campaigns.android_web_redirect
FROM campaigns
LEFT JOIN domains ON domains.id = campaigns.domain_id
WHERE campaigns.project_id = $1 AND campaigns.id = $2;
