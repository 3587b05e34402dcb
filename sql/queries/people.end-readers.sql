-- Ends the users of ClickHouse that a person has made and could not make any more. $2 are the roles that may, $3 is
-- now.
UPDATE project_readers AS reader SET ended_at = $3
FROM projects
WHERE reader.made_by = $1 AND reader.ended_at IS NULL AND projects.id = reader.project_id
  AND NOT EXISTS (
    SELECT FROM memberships
    WHERE memberships.user_id = $1 AND memberships.role = ANY ($2::text[])
      AND (memberships.role = 'operator' OR memberships.account_id = projects.account_id)
  )
