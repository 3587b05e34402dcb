-- name: list
-- One row per link of project $1, whose primary domain is $2, newest first: with tag $3 and display ID $4, each null
-- for all; $5 rows from row $6 on, each with what is known of its domain.
SELECT campaigns.id, campaigns.display_id, campaigns.name, campaigns.active, campaigns.is_system, campaigns.deeplink,
  campaigns.is_shortlink, campaigns.tags, campaigns.utm, campaigns.expires_at, campaigns.expired_target, campaigns.card,
  campaigns.created_at, domains.name AS domain, domain_checks.state AS domain_state, domain_checks.msg AS domain_msg
FROM campaigns
LEFT JOIN domains ON domains.id = coalesce(campaigns.domain_id, $2)
LEFT JOIN domain_checks ON domain_checks.domain_id = domains.id
WHERE campaigns.project_id = $1 AND campaigns.deleted_at IS NULL
  AND ($3::text IS NULL OR campaigns.tags @> ARRAY[$3])
  AND ($4::text IS NULL OR campaigns.display_id = $4)
ORDER BY campaigns.created_at DESC, campaigns.display_id
LIMIT $5 OFFSET $6;

-- name: count
-- How many links of project $1 have tag $2; null for all.
SELECT count(*) AS total
FROM campaigns
WHERE project_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR tags @> ARRAY[$2]);

-- name: tags
-- One row per tag of project $1, with how many links have it.
SELECT tag, count(*) AS links
FROM campaigns, unnest(campaigns.tags) AS tag
WHERE project_id = $1 AND deleted_at IS NULL
GROUP BY tag
ORDER BY tag
LIMIT 1000;

-- name: domains
-- One row per domain of project $1, those that are not proven yet included, with what is known of it.
SELECT domain.name, domain.is_primary, domain.is_pending, domain_checks.state, domain_checks.msg,
  domain_checks.checked_at
FROM (
  SELECT id, project_id, name, is_primary, false AS is_pending FROM domains
  UNION ALL
  SELECT id, project_id, name, false, true FROM pending_domains
) AS domain
LEFT JOIN domain_checks ON domain_checks.domain_id = domain.id
WHERE domain.project_id = $1
ORDER BY domain.is_primary DESC, domain.id;

-- name: settle
-- Gives link $1 the settings of the object $2, at revision $3.
UPDATE campaigns
SET tags = wanted.tags, utm = wanted.utm, expires_at = wanted.expires_at, expired_target = wanted.expired_target,
  card = wanted.card, revision = $3, updated_at = now()
FROM jsonb_populate_record(NULL::campaigns, $2) AS wanted
WHERE campaigns.id = $1;

-- name: edit
-- Changes the links $2 of project $1 at revision $3: adds the tags $4, takes the tags $5 away, makes them active or not
-- by $6, and where $7 gives them the end $8; one row per link with how many tags it has now.
UPDATE campaigns
SET tags = ARRAY(
    SELECT DISTINCT tag FROM unnest(tags || $4::text[]) AS tag WHERE tag <> ALL ($5::text[]) ORDER BY tag),
  active = coalesce($6::boolean, active),
  expires_at = CASE WHEN $7::boolean THEN $8::timestamptz ELSE expires_at END,
  revision = $3, updated_at = now()
WHERE project_id = $1 AND display_id = ANY ($2) AND deleted_at IS NULL
RETURNING display_id, cardinality(tags) AS tags;

-- name: rules
-- How UTM values of project $1 are written.
SELECT utm_rules AS rules FROM projects WHERE id = $1;

-- name: put-rules
-- Sets how UTM values of project $1 are written to $2.
UPDATE projects SET utm_rules = $2 WHERE id = $1;

-- name: used-values
-- One row per UTM value of the links of project $1, the most used ones first.
SELECT pair.key AS name, pair.value AS value, count(*) AS links
FROM campaigns, jsonb_each_text(campaigns.utm) AS pair
WHERE project_id = $1 AND deleted_at IS NULL AND utm IS NOT NULL
GROUP BY pair.key, pair.value
ORDER BY links DESC, value
LIMIT 500;
