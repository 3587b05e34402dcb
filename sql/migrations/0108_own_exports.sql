-- Projects declare scheduled exports of their own, with keys of their own for buckets.

ALTER TABLE scheduled_exports ADD COLUMN IF NOT EXISTS declared_by text NOT NULL DEFAULT 'operator'
  CHECK (declared_by IN ('operator', 'project'));
ALTER TABLE scheduled_exports ADD COLUMN IF NOT EXISTS keys_changed_at timestamptz(3);
COMMENT ON COLUMN scheduled_exports.declared_by IS
  'operator (a workspace document), or project: then it has a folder or keys of its own [none]';
COMMENT ON COLUMN scheduled_exports.keys_changed_at IS 'When the keys of its bucket were set last [none]';

-- The audit log notes when keys change, and not the keys.
CREATE TABLE IF NOT EXISTS export_keys (
  id integer PRIMARY KEY REFERENCES scheduled_exports ON DELETE CASCADE,
  access_key text NOT NULL,
  secret text NOT NULL
);
COMMENT ON TABLE export_keys IS 'Keys of buckets that projects export to';
COMMENT ON COLUMN export_keys.id IS 'The export [none]';
COMMENT ON COLUMN export_keys.access_key IS 'Sealed, for requests are signed with it [none]';
COMMENT ON COLUMN export_keys.secret IS 'Sealed, for requests are signed with it [none]';
