-- What a link has besides its targets: tags, UTM values, an end, and how it looks where it is shared.

ALTER TABLE campaigns
  ADD COLUMN IF NOT EXISTS tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS utm jsonb,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz(3),
  ADD COLUMN IF NOT EXISTS expired_target text,
  ADD COLUMN IF NOT EXISTS card jsonb;
COMMENT ON COLUMN campaigns.tags IS 'What the project sorts its links by, in alphabetical order [none]';
COMMENT ON COLUMN campaigns.utm IS 'UTM values that the link passes on by itself, by name; null for none [none]';
COMMENT ON COLUMN campaigns.expires_at IS 'From when the link counts no clicks; null for never [none]';
COMMENT ON COLUMN campaigns.expired_target IS 'Where it leads from then on; null: the website of the project [none]';
COMMENT ON COLUMN campaigns.card IS 'title, description and image that other services show; null for none [none]';

ALTER TABLE projects ADD COLUMN IF NOT EXISTS utm_rules jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN projects.utm_rules IS 'How UTM values of links are written; empty: in any way [none]';

-- What the service found when it last looked at a tracking domain. That it looks again is no change of anything.
CREATE TABLE IF NOT EXISTS domain_checks (
  domain_id integer PRIMARY KEY REFERENCES domains ON DELETE CASCADE,
  claimed_at timestamptz(3) NOT NULL DEFAULT now(),
  checked_at timestamptz(3),
  state text CHECK (state IN ('works', 'elsewhere', 'no_certificate', 'unknown')),
  msg text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS domain_checks_claimed_at_idx ON domain_checks (claimed_at);
COMMENT ON TABLE domain_checks IS 'Whether tracking domains lead to the service over HTTPS';
COMMENT ON COLUMN domain_checks.domain_id IS 'The domain [none]';
COMMENT ON COLUMN domain_checks.claimed_at IS 'When a process last took it to look at [none]';
COMMENT ON COLUMN domain_checks.checked_at IS 'When it was last known; null before the first look [none]';
COMMENT ON COLUMN domain_checks.state IS 'works, elsewhere, no_certificate, or unknown where it cannot be seen [none]';
COMMENT ON COLUMN domain_checks.msg IS 'The same in words, with what to do [none]';
