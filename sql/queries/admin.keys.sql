-- One row per key of project $1, revoked ones too; the keys themselves are not stored.
SELECT id, kind, created_at, last_used_at, revoked_at FROM project_keys WHERE project_id = $1 ORDER BY id
