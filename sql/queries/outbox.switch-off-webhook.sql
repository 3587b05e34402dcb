-- Switches a webhook off whose receiver says that it is gone for good. One row if it was in use.
UPDATE webhooks SET switched_off_at = now() WHERE id = $1 AND switched_off_at IS NULL RETURNING id
