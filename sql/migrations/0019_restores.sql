-- Messages about events of a backup that was restored are not sent by themselves: the service that the backup was
-- taken of may have sent them.

CREATE TABLE restores (
  events_until timestamptz(3) NOT NULL,
  restored_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN restores.events_until IS 'What is told of events received up to then is held [none]';
COMMENT ON COLUMN restores.restored_at IS 'When the backup was restored [none]';

ALTER TABLE outbox ADD COLUMN is_held boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN outbox.is_held IS 'It may have been sent before a backup was restored: it is dropped [none]';
