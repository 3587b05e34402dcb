-- name: list
-- One row per tracking domain of project $1, those that are not proven yet included, with the project's token and what
-- was found when the domain was last looked at: null before that, and of those that are not proven.
SELECT domain.id, domain.name, domain.is_primary AS "primary", domain.is_pending, projects.domain_token AS token,
  CASE WHEN last.state IS NOT NULL
    THEN jsonb_build_object('state', last.state, 'msg', last.msg, 'checked_at', last.checked_at) END AS last_check
FROM (
  SELECT id, project_id, name, is_primary, false AS is_pending FROM domains
  UNION ALL
  SELECT id, project_id, name, false, true FROM pending_domains
) AS domain
JOIN projects ON projects.id = domain.project_id
LEFT JOIN domain_checks AS last ON last.domain_id = domain.id AND NOT domain.is_pending
WHERE domain.project_id = $1
ORDER BY domain.id;

-- name: find
-- Domain $2 of project $1, and whether the project has others.
SELECT id, is_primary,
  EXISTS (SELECT 1 FROM domains AS other WHERE other.project_id = $1 AND other.id <> $2) AS has_others
FROM domains
WHERE project_id = $1 AND id = $2;

-- name: find-pending
-- Domain $2 of project $1 that is not proven yet, and whether another project has its name.
SELECT id, name, is_primary,
  EXISTS (SELECT 1 FROM domains WHERE domains.name = pending_domains.name) AS is_taken
FROM pending_domains
WHERE project_id = $1 AND id = $2;

-- name: prove
-- Makes domain $2 of project $1, which is pending, one of the project's domains. What it keeps is its ID.
INSERT INTO domains (id, project_id, name, is_primary) OVERRIDING SYSTEM VALUE
SELECT id, project_id, name,
  coalesce(is_primary, NOT EXISTS (SELECT 1 FROM domains WHERE domains.project_id = pending_domains.project_id))
FROM pending_domains
WHERE project_id = $1 AND id = $2;

-- name: claim-pending
-- The $2 pending domains that nobody has asked for since $1, the longest first; other processes leave them alone now.
UPDATE pending_domains SET checked_at = now()
FROM projects
WHERE projects.id = pending_domains.project_id AND pending_domains.id IN (
  SELECT id FROM pending_domains WHERE checked_at < $1 ORDER BY checked_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
RETURNING pending_domains.id, pending_domains.project_id, pending_domains.name, projects.domain_token AS token;

-- name: step-down
-- Leaves project $1 without a primary domain, before another one becomes that.
UPDATE domains SET is_primary = false WHERE project_id = $1 AND is_primary;

-- name: leave
-- Lets the campaigns of project $1 that have domain $2 use the project's primary one, at revision $3.
UPDATE campaigns SET domain_id = NULL, revision = $3 WHERE project_id = $1 AND domain_id = $2;

-- name: delete
-- Deletes domain $1, which no campaign has any more.
DELETE FROM domains WHERE id = $1;

-- name: delete-pending
-- Deletes domain $2 of project $1, which is pending.
DELETE FROM pending_domains WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: claim
-- The $2 domains that nobody has looked at since $1, at $3; other processes leave them alone now.
WITH claimed AS (
  INSERT INTO domain_checks (domain_id, claimed_at)
  SELECT domains.id, $3
  FROM domains
  LEFT JOIN domain_checks ON domain_checks.domain_id = domains.id
  WHERE domain_checks.claimed_at IS NULL OR domain_checks.claimed_at < $1
  ORDER BY domain_checks.claimed_at NULLS FIRST, domains.id
  LIMIT $2
  ON CONFLICT (domain_id) DO UPDATE SET claimed_at = EXCLUDED.claimed_at WHERE domain_checks.claimed_at < $1
  RETURNING domain_id
)
SELECT domains.id, domains.name FROM claimed JOIN domains ON domains.id = claimed.domain_id;

-- name: put-check
-- Notes what a look at domain $1 found at $2: the state $3, and $4 in words. A domain that is deleted meanwhile has
-- none.
INSERT INTO domain_checks (domain_id, claimed_at, checked_at, state, msg)
SELECT id, $2, $2, $3, $4 FROM domains WHERE id = $1
ON CONFLICT (domain_id) DO UPDATE
SET claimed_at = EXCLUDED.claimed_at, checked_at = EXCLUDED.checked_at, state = EXCLUDED.state, msg = EXCLUDED.msg;
