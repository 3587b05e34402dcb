-- Deletes the secrets of webhook $1, before it goes itself: the audit log then still knows whose they were.
DELETE FROM webhook_secrets WHERE webhook_id = $1
