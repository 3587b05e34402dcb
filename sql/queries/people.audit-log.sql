-- The latest entries first, of one account, or of all with a null; each filter counts where it is not null.
SELECT id, at, actor, actor_name, address, account_id, project_id, partner_id, action, subject, name, before, after
FROM audit_log
WHERE ($1::integer IS NULL OR account_id = $1)
  AND ($2::bigint IS NULL OR id < $2)
  AND ($3::text IS NULL OR actor_name = $3)
  AND ($4::text IS NULL OR action = $4)
  AND ($5::text IS NULL OR subject = $5)
  AND ($6::timestamptz IS NULL OR at >= $6)
  AND ($7::timestamptz IS NULL OR at < $7)
ORDER BY id DESC
LIMIT $8
