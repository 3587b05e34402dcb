-- Statements that people write on the SQL page of a project and keep. What one looks for may stand in it.
CREATE TABLE IF NOT EXISTS saved_queries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  query text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (project_id, name)
);
COMMENT ON TABLE saved_queries IS 'Statements that a project keeps for its SQL page';
COMMENT ON COLUMN saved_queries.id IS 'ID of the saved query [none]';
COMMENT ON COLUMN saved_queries.project_id IS 'Project that it belongs to [none]';
COMMENT ON COLUMN saved_queries.name IS 'What it is called, unique in its project [none]';
COMMENT ON COLUMN saved_queries.query IS 'The statement [none]';
COMMENT ON COLUMN saved_queries.created_by IS 'Who saved it first: of those who run advertising [none]';
COMMENT ON COLUMN saved_queries.created_at IS 'When it was saved first [none]';
COMMENT ON COLUMN saved_queries.updated_at IS 'When it was changed last [none]';
