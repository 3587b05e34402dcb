-- Dated notes of a project, which charts show on their day; and boards that show them.
CREATE TABLE IF NOT EXISTS annotations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  day date NOT NULL,
  text text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS annotations_day ON annotations (project_id, day);
COMMENT ON TABLE annotations IS 'Dated notes of projects, for charts';
COMMENT ON COLUMN annotations.id IS 'ID of the note [none]';
COMMENT ON COLUMN annotations.project_id IS 'Project that it belongs to [none]';
COMMENT ON COLUMN annotations.day IS 'Day of the project that it is about [none]';
COMMENT ON COLUMN annotations.text IS 'What it says: of those who run advertising [none]';
COMMENT ON COLUMN annotations.created_by IS 'Who wrote it: of those who run advertising [none]';
COMMENT ON COLUMN annotations.created_at IS 'When it was written [none]';
COMMENT ON COLUMN annotations.updated_at IS 'When it was changed last [none]';

ALTER TABLE boards ADD COLUMN IF NOT EXISTS annotations boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN boards.annotations IS 'Whether its charts show the notes of the project, to strangers too [none]';

CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON annotations REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON annotations REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change('id', 'id');
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON annotations REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
