-- Uploads of spend, and what the audit log shows of them.

CREATE TABLE IF NOT EXISTS spend_uploads (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  receipt bigint NOT NULL,
  state text NOT NULL DEFAULT 'storing' CHECK (state IN ('storing', 'stored', 'undoing', 'undone')),
  name text NOT NULL,
  made_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  rows integer NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  sums jsonb NOT NULL,
  undone_by text,
  undone_at timestamptz(3),
  restored integer,
  removed integer,
  kept integer
);
CREATE INDEX IF NOT EXISTS spend_uploads_by_project ON spend_uploads (project_id, id);
CREATE INDEX IF NOT EXISTS spend_uploads_by_receipt ON spend_uploads (project_id, receipt);
COMMENT ON TABLE spend_uploads IS 'Files of spend that were uploaded, and those that were taken back';
COMMENT ON COLUMN spend_uploads.id IS 'ID of the upload [none]';
COMMENT ON COLUMN spend_uploads.project_id IS 'Project that the spend belongs to [none]';
COMMENT ON COLUMN spend_uploads.receipt IS 'Its place among all requests that bring spend [none]';
COMMENT ON COLUMN spend_uploads.state IS 'storing, stored, undoing or undone [none]';
COMMENT ON COLUMN spend_uploads.name IS 'Name of the file; empty if it was not told [none]';
COMMENT ON COLUMN spend_uploads.made_by IS 'Who uploaded it: of those who run advertising [none]';
COMMENT ON COLUMN spend_uploads.created_at IS 'When it was uploaded [none]';
COMMENT ON COLUMN spend_uploads.rows IS 'Rows that were stored [none]';
COMMENT ON COLUMN spend_uploads.first_day IS 'First day of spend [none]';
COMMENT ON COLUMN spend_uploads.last_day IS 'Last day of spend [none]';
COMMENT ON COLUMN spend_uploads.sums IS 'Sum of its rows by currency [none]';
COMMENT ON COLUMN spend_uploads.undone_by IS 'Who took it back: of those who run advertising [none]';
COMMENT ON COLUMN spend_uploads.undone_at IS 'When; null while it is in force [none]';
COMMENT ON COLUMN spend_uploads.restored IS 'Rows that were replaced by those of before [none]';
COMMENT ON COLUMN spend_uploads.removed IS 'Rows that went, since there were none before [none]';
COMMENT ON COLUMN spend_uploads.kept IS 'Rows that a later request had replaced, which stayed [none]';

-- The audit log shows that files were uploaded and undone, and not how far the service has come with it.
ALTER FUNCTION shown(jsonb) RENAME TO shown_with_progress;
CREATE FUNCTION shown(one jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT shown_with_progress(CASE
    WHEN one ? 'receipt' AND one ? 'undone_at' THEN one - '{receipt,state}'::text[]
    ELSE one
  END);
$$;

CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON spend_uploads REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON spend_uploads REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change('id', 'id');
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON spend_uploads REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
