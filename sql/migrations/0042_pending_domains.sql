-- Domains that an account has added and not proven. Those of before are in domains, and stay.
ALTER TABLE projects
  ADD COLUMN IF NOT EXISTS domain_token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', '');
COMMENT ON COLUMN projects.domain_token IS 'What the TXT records of its domains hold; no secret [none]';

-- A domain keeps its ID when it is proven. Several projects may wait for one name: who proves it first has it.
CREATE TABLE IF NOT EXISTS pending_domains (
  id integer PRIMARY KEY DEFAULT nextval('domains_id_seq'),
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL CHECK (name = lower(name)),
  is_primary boolean,
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (project_id, name)
);
CREATE INDEX IF NOT EXISTS pending_domains_checked_at_idx ON pending_domains (checked_at);
COMMENT ON TABLE pending_domains IS 'Domains that an account has added and not proven: nothing is served on them';
COMMENT ON COLUMN pending_domains.id IS 'ID, of one count with domains [none]';
COMMENT ON COLUMN pending_domains.project_id IS 'The project that added it [none]';
COMMENT ON COLUMN pending_domains.name IS 'Host name [none]';
COMMENT ON COLUMN pending_domains.is_primary IS 'Whether it is to be the primary one; null: if it is the first [none]';
COMMENT ON COLUMN pending_domains.checked_at IS 'When DNS was last asked by the service itself [none]';

-- That it is asked for again is no change of anything.
CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON pending_domains REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON pending_domains REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
