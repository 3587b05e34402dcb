-- One row per key of a project that works.
SELECT sha256, project_id, kind FROM project_keys WHERE revoked_at IS NULL
