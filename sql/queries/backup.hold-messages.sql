-- Holds what is told of events that were received up to $1, when the backup was taken: the service that it was taken
-- of may have sent it since.
WITH held AS (
  UPDATE outbox SET is_held = true
)
INSERT INTO restores (events_until) VALUES ($1)
