-- Whether the address of a person was ever proven, who made each link that lets somebody in and how it went its way,
-- and who made each user of ClickHouse that sees one project.
SELECT set_config('adtrail.actor', '{"kind": "service", "name": "adtrail"}', true);

ALTER TABLE users ADD COLUMN IF NOT EXISTS proven_at timestamptz(3);
COMMENT ON COLUMN users.proven_at IS
  'Since when the provider, or mail that arrived, vouches for who signs in by the address; null for nobody [none]';
-- Who has no password came in through the provider.
UPDATE users SET proven_at = created_at WHERE password IS NULL;

-- The maker is who acts in the transaction, which processes of the version before say too.
ALTER TABLE sign_in_links
  ADD COLUMN IF NOT EXISTS made_by integer REFERENCES users ON DELETE CASCADE
    DEFAULT (nullif(current_setting('adtrail.actor', true), '')::jsonb->>'user_id')::integer,
  ADD COLUMN IF NOT EXISTS mailed boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS followed_at timestamptz(3);
CREATE INDEX IF NOT EXISTS sign_in_links_made_by_idx ON sign_in_links (made_by);
COMMENT ON COLUMN sign_in_links.used_at IS 'Since when it does not work any more: followed, withdrawn, replaced [none]';
COMMENT ON COLUMN sign_in_links.made_by IS 'Who made it; null for the admin token and the service [pseudonymous]';
COMMENT ON COLUMN sign_in_links.mailed IS 'Whether it went to the address by mail, and was shown to nobody [none]';
COMMENT ON COLUMN sign_in_links.followed_at IS 'When somebody came in by it [none]';
-- Of an open link the maker is found by name, where there is one only; else it ends, and is made again.
UPDATE sign_in_links AS link SET made_by = (
  SELECT min(users.id) FROM users WHERE users.name = link.invited_by HAVING count(*) = 1
) WHERE used_at IS NULL AND kind = 'invitation';
UPDATE sign_in_links SET used_at = now() WHERE used_at IS NULL AND invited_by IS NOT NULL AND made_by IS NULL;

CREATE TABLE IF NOT EXISTS project_readers (
  name text PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  made_by integer REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  UNIQUE (project_id, name)
);
CREATE INDEX IF NOT EXISTS project_readers_made_by_idx ON project_readers (made_by);
COMMENT ON TABLE project_readers IS 'Users of ClickHouse that see one project: who made them, and which have ended';
COMMENT ON COLUMN project_readers.name IS 'Name of the user [none]';
COMMENT ON COLUMN project_readers.project_id IS 'The only project that it sees [none]';
COMMENT ON COLUMN project_readers.made_by IS 'Who made it; null for the admin token [pseudonymous]';
COMMENT ON COLUMN project_readers.created_at IS 'When it was made [none]';
COMMENT ON COLUMN project_readers.ended_at IS 'When it was revoked or lost its maker; null while it may read [none]';

-- Links are forgotten after a while, which is no change of anything.
CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON sign_in_links REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON sign_in_links REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change('id', 'id');
CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON project_readers REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON project_readers REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change('name', 'name');
