-- Revokes key $2 of project $1, for good; answers with it, revoked before or not.
UPDATE project_keys SET revoked_at = coalesce(revoked_at, now()) WHERE project_id = $1 AND id = $2 RETURNING id
