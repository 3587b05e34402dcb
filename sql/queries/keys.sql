-- name: list
-- One row per key of project $1, revoked ones too; the keys themselves are not stored.
SELECT id, kind, name, prefix, created_at, last_used_at, revoked_at
FROM project_keys
WHERE project_id = $1
ORDER BY id;

-- name: create
-- A key of kind $2 for project $1, by its SHA-256 $3, with its name $4 (null: none) and its prefix $5.
INSERT INTO project_keys (project_id, kind, sha256, name, prefix) VALUES ($1, $2, $3, $4, $5)
RETURNING id, kind, name, prefix;

-- name: rename
-- Gives key $2 of project $1 the name $3 (null: none).
UPDATE project_keys SET name = $3 WHERE project_id = $1 AND id = $2
RETURNING id, kind, name, prefix, created_at, last_used_at, revoked_at;

-- name: revoke
-- Revokes key $2 of project $1, for good; answers with it, revoked before or not.
UPDATE project_keys SET revoked_at = coalesce(revoked_at, now()) WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: create-reader
-- A user of ClickHouse that sees one project. $3 is the person who makes it; null for the admin token.
INSERT INTO project_readers (name, project_id, made_by) VALUES ($1, $2, $3);

-- name: end-reader
-- A user of ClickHouse is revoked.
UPDATE project_readers SET ended_at = now() WHERE name = $1 AND ended_at IS NULL;

-- name: readers
-- One row per user of ClickHouse in $1 (names) and $2 (their projects): whether it has ended, since it was revoked or
-- its maker may no longer make one, and whether its account is suspended. $3 are the roles that may make one.
SELECT given.name, given.project_id, coalesce(accounts.billing_status = 'suspended', true) AS suspended,
  reader.ended_at IS NOT NULL OR (reader.made_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM memberships
    WHERE memberships.user_id = reader.made_by AND memberships.role = ANY ($3::text[])
      AND (memberships.role = 'operator' OR memberships.account_id = projects.account_id)
  )) AS ended
FROM unnest($1::text[], $2::integer[]) AS given (name, project_id)
LEFT JOIN projects ON projects.id = given.project_id
LEFT JOIN accounts ON accounts.id = projects.account_id
LEFT JOIN project_readers AS reader ON reader.name = given.name;
