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
LEFT JOIN project_readers AS reader ON reader.name = given.name
