-- The $2 pending domains that nobody has asked for since $1, the longest first; other processes leave them alone now.
UPDATE pending_domains SET checked_at = now()
FROM projects
WHERE projects.id = pending_domains.project_id AND pending_domains.id IN (
  SELECT id FROM pending_domains WHERE checked_at < $1 ORDER BY checked_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
RETURNING pending_domains.id, pending_domains.project_id, pending_domains.name, projects.domain_token AS token
