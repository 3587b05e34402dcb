-- One row per request to erase a person. value is what they are known by, and is itself erased once that is done.
CREATE TABLE erasure_requests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  kind text NOT NULL CHECK (kind IN ('gaid', 'idfa', 'user')),
  value text,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  hidden_at timestamptz(3),
  removed_at timestamptz(3)
);
CREATE INDEX erasure_requests_under_way ON erasure_requests (id) WHERE removed_at IS NULL;
