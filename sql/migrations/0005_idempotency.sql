-- One row per Idempotency-Key of the last day: what it was sent with, and the answer that it got.
CREATE TABLE idempotency_keys (
  -- SHA-256 of the key and of the credentials that it came with.
  id text PRIMARY KEY,
  -- SHA-256 of the request, to tell a repeat from another request with the same key.
  request text NOT NULL,
  -- Null until it is answered.
  status integer,
  -- Encrypted with a key that only the caller's own headers give: an answer may hold a secret.
  answer text,
  begun_at timestamptz(3) NOT NULL
);
CREATE INDEX idempotency_keys_begun_at ON idempotency_keys (begun_at);

COMMENT ON COLUMN idempotency_keys.id IS '[none]';
COMMENT ON COLUMN idempotency_keys.request IS '[none]';
COMMENT ON COLUMN idempotency_keys.status IS '[none]';
COMMENT ON COLUMN idempotency_keys.answer IS '[none]';
COMMENT ON COLUMN idempotency_keys.begun_at IS '[none]';
