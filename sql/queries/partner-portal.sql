-- name: partner
-- Partner $1, if there is one.
SELECT id FROM partners WHERE id = $1;

-- name: projects
-- One row per project that works with partner $1: it has had a campaign there, or anything was switched on or off.
SELECT projects.id, projects.name, accounts.name AS account
FROM projects
JOIN accounts ON accounts.id = projects.account_id
WHERE EXISTS (SELECT FROM partner_switches WHERE project_id = projects.id AND partner_id = $1)
  OR projects.id IN (SELECT project_id FROM campaigns WHERE partner_id = $1)
ORDER BY projects.id;

-- name: campaigns
-- One row per campaign of partner $1 that is not deleted and has $2 in its name or display_id, in any case: newest
-- first, $3 rows from row $4 on. With the apps of the project, the domain of its tracking link, and what the advertiser
-- has switched on for the partner.
SELECT campaigns.display_id, campaigns.name, campaigns.project_id, projects.name AS project, accounts.name AS account,
  campaigns.active, campaigns.created_at,
  ARRAY(SELECT app_id FROM apps WHERE apps.project_id = campaigns.project_id ORDER BY apps.id) AS apps,
  coalesce(own_domain.name, primary_domain.name) AS domain,
  EXISTS (SELECT FROM campaign_pauses WHERE campaign_id = campaigns.id AND unpaused_at IS NULL) AS paused,
  coalesce(s2s_clicks, false) AS s2s_clicks, coalesce(s2s_traffic, false) AS s2s_traffic,
  coalesce(view_through, false) AS view_through, coalesce(ctv_apps, '{}') AS ctv_apps,
  coalesce(view_window_hours, 24) AS view_window_hours
FROM campaigns
JOIN projects ON projects.id = campaigns.project_id
JOIN accounts ON accounts.id = projects.account_id
LEFT JOIN domains AS own_domain ON own_domain.id = campaigns.domain_id
LEFT JOIN domains AS primary_domain
  ON primary_domain.project_id = campaigns.project_id AND primary_domain.is_primary
LEFT JOIN partner_switches
  ON partner_switches.project_id = campaigns.project_id AND partner_switches.partner_id = campaigns.partner_id
WHERE campaigns.partner_id = $1 AND campaigns.deleted_at IS NULL
  AND (strpos(lower(campaigns.name), lower($2)) > 0 OR strpos(lower(campaigns.display_id), lower($2)) > 0)
ORDER BY campaigns.created_at DESC, campaigns.id DESC
LIMIT $3 OFFSET $4;

-- name: campaigns-count
-- How many campaigns of partner $1 are not deleted and have $2 in their name or display_id, in any case.
SELECT count(*) AS total
FROM campaigns
WHERE partner_id = $1 AND deleted_at IS NULL
  AND (strpos(lower(name), lower($2)) > 0 OR strpos(lower(display_id), lower($2)) > 0);

-- name: campaigns-by-id
-- One row per campaign of $2 that is partner $1's, also of deleted ones.
SELECT campaigns.id, campaigns.display_id, campaigns.name, campaigns.project_id, projects.name AS project
FROM campaigns
JOIN projects ON projects.id = campaigns.project_id
WHERE campaigns.partner_id = $1 AND campaigns.id = ANY($2::integer[]);

-- name: complete-until
-- The receipt time, in milliseconds, up to which everything accepted is in credited figures; none before the first.
SELECT floor(extract(epoch FROM settled) * 1000)::float8 AS settled FROM watermarks WHERE name = 'install-journeys';
