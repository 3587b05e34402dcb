-- Deletes campaign $1 at revision $2. Its row stays, so that its display_id is not given out again.
UPDATE campaigns SET deleted_at = now(), revision = $2 WHERE id = $1
