-- Secrets of postbacks have a place of their own, and secrets that are read again are sealed with the key of the
-- installation: those that are here are sealed as the service starts.

CREATE TABLE postback_secrets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partner_id integer REFERENCES partners,
  project_id integer REFERENCES projects,
  name text NOT NULL,
  secret text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((partner_id IS NULL) <> (project_id IS NULL)),
  UNIQUE NULLS NOT DISTINCT (partner_id, project_id, name)
);
CREATE INDEX postback_secrets_project_id_idx ON postback_secrets (project_id);
COMMENT ON TABLE postback_secrets IS 'What {secret:name} stands for in templates of postbacks';
COMMENT ON COLUMN postback_secrets.id IS 'Identifier [none]';
COMMENT ON COLUMN postback_secrets.partner_id IS 'Partner in whose templates it stands; null for a project [none]';
COMMENT ON COLUMN postback_secrets.project_id IS 'Project in whose overrides it stands; null for a partner [none]';
COMMENT ON COLUMN postback_secrets.name IS 'What templates name it by [none]';
COMMENT ON COLUMN postback_secrets.secret IS 'Sealed, for it is sent [none]';
COMMENT ON COLUMN postback_secrets.created_at IS 'When it was added [none]';
COMMENT ON COLUMN postback_secrets.changed_at IS 'When it was set last [none]';

COMMENT ON COLUMN users.totp_secret IS 'Secret of the second factor, sealed; null without one [none]';
COMMENT ON COLUMN webhook_secrets.secret IS 'whsec_ and Base64, sealed, for it signs [none]';

CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON postback_secrets REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON postback_secrets
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change('id', 'id');
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON postback_secrets REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
