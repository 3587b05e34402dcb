-- Deletes webhook $1.
DELETE FROM webhooks WHERE id = $1
