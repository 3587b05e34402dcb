-- The oldest entries that are not in ClickHouse yet, as its table has them.
SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS at, actor, actor_name, address,
  coalesce(account_id, 0) AS changed_account_id, coalesce(project_id, 0) AS changed_project_id,
  coalesce(partner_id, 0) AS changed_partner_id, action, subject, name,
  coalesce(before::text, '') AS before, coalesce(after::text, '') AS after
FROM audit_log
WHERE copied_at IS NULL
ORDER BY id
LIMIT $1
