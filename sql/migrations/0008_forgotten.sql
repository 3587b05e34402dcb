-- One row a request to forget a person. `value` is what they are known by, and itself forgotten once that is done.
CREATE TABLE forgotten (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  kind text NOT NULL CHECK (kind IN ('gaid', 'idfa', 'user')),
  value text,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  hidden_at timestamptz(3),
  removed_at timestamptz(3)
);
CREATE INDEX forgotten_under_way ON forgotten (id) WHERE removed_at IS NULL;
