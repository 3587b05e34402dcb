-- Replaces what webhook $1 is sent, and where. One that is on is in use again.
UPDATE webhooks SET url = $2, events = $3, enabled = $4,
  switched_off_at = CASE WHEN $4 OR url <> $2 THEN NULL ELSE switched_off_at END
WHERE id = $1
