-- People who sign in, what each may do, and what has been changed by whom. Secrets are here as hashes only.

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL,
  password text,
  totp_secret text,
  totp_last_step bigint NOT NULL DEFAULT 0,
  recovery_codes text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE users IS 'One row per person who can sign in';
COMMENT ON COLUMN users.id IS 'Identifier [none]';
COMMENT ON COLUMN users.email IS 'Address in lower case, by which the person signs in [personal]';
COMMENT ON COLUMN users.name IS 'Name that others see [personal]';
COMMENT ON COLUMN users.password IS 'argon2id hash; null for who signs in through a provider only [none]';
COMMENT ON COLUMN users.totp_secret IS 'Secret of the second factor in Base32; null without one [none]';
COMMENT ON COLUMN users.totp_last_step IS 'Last step whose code was used: each code works once [none]';
COMMENT ON COLUMN users.recovery_codes IS 'SHA-256 of the recovery codes that are left [none]';
COMMENT ON COLUMN users.created_at IS 'When the person came [none]';

-- Operators have neither an account nor a partner: they are of the whole installation.
CREATE TABLE memberships (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL,
  account_id integer REFERENCES accounts,
  partner_id integer REFERENCES partners,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (
    (role = 'operator' AND account_id IS NULL AND partner_id IS NULL)
    OR (role IN ('owner', 'admin', 'analyst', 'viewer', 'engineer') AND account_id IS NOT NULL AND partner_id IS NULL)
    OR (role IN ('partner_admin', 'partner_viewer') AND account_id IS NULL AND partner_id IS NOT NULL)
  )
);
CREATE UNIQUE INDEX ON memberships (user_id, coalesce(account_id, 0), coalesce(partner_id, 0));
CREATE INDEX ON memberships (account_id);
CREATE INDEX ON memberships (partner_id);
COMMENT ON TABLE memberships IS 'What a person is in an account, for a partner, or for the installation';
COMMENT ON COLUMN memberships.id IS 'Identifier [none]';
COMMENT ON COLUMN memberships.user_id IS 'The person [pseudonymous]';
COMMENT ON COLUMN memberships.role IS 'The role; what it may do is in src/people/permissions.ts [none]';
COMMENT ON COLUMN memberships.account_id IS 'The account, for its roles [none]';
COMMENT ON COLUMN memberships.partner_id IS 'The partner, for its roles [none]';
COMMENT ON COLUMN memberships.created_at IS 'Since when [none]';

CREATE TABLE sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sha256 text NOT NULL UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX ON sessions (user_id);
CREATE INDEX ON sessions (expires_at);
COMMENT ON TABLE sessions IS 'One row per browser that is signed in';
COMMENT ON COLUMN sessions.id IS 'Identifier [none]';
COMMENT ON COLUMN sessions.sha256 IS 'SHA-256 of the cookie [none]';
COMMENT ON COLUMN sessions.user_id IS 'The person [pseudonymous]';
COMMENT ON COLUMN sessions.address IS 'Address that the person signed in from [personal]';
COMMENT ON COLUMN sessions.user_agent IS 'Browser that the person signed in with [personal]';
COMMENT ON COLUMN sessions.created_at IS 'When the person signed in [none]';
COMMENT ON COLUMN sessions.last_seen_at IS 'Last request, to a minute [none]';
COMMENT ON COLUMN sessions.expires_at IS 'When it ends unless it is used before [none]';

-- kind first: the first operator; invitation: a role for an e-mail address; password: a new password for a person.
CREATE TABLE sign_in_links (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sha256 text NOT NULL UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  kind text NOT NULL CHECK (kind IN ('first', 'invitation', 'password')),
  email text,
  role text,
  account_id integer REFERENCES accounts,
  partner_id integer REFERENCES partners,
  user_id integer REFERENCES users ON DELETE CASCADE,
  invited_by text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
COMMENT ON TABLE sign_in_links IS 'Links that let a person in once';
COMMENT ON COLUMN sign_in_links.id IS 'Identifier [none]';
COMMENT ON COLUMN sign_in_links.sha256 IS 'SHA-256 of the token in the link [none]';
COMMENT ON COLUMN sign_in_links.kind IS 'first, invitation or password [none]';
COMMENT ON COLUMN sign_in_links.email IS 'Whom an invitation is for [personal]';
COMMENT ON COLUMN sign_in_links.role IS 'The role that an invitation gives [none]';
COMMENT ON COLUMN sign_in_links.account_id IS 'The account of that role [none]';
COMMENT ON COLUMN sign_in_links.partner_id IS 'The partner of that role [none]';
COMMENT ON COLUMN sign_in_links.user_id IS 'Who may set a new password [pseudonymous]';
COMMENT ON COLUMN sign_in_links.invited_by IS 'Name of who has invited [personal]';
COMMENT ON COLUMN sign_in_links.created_at IS 'When it was made [none]';
COMMENT ON COLUMN sign_in_links.expires_at IS 'When it ends [none]';
COMMENT ON COLUMN sign_in_links.used_at IS 'When it was used or withdrawn; null before [none]';

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  user_id integer,
  actor_name text NOT NULL,
  address text NOT NULL,
  account_id integer,
  project_id integer,
  partner_id integer,
  action text NOT NULL CHECK (action IN ('create', 'change', 'delete')),
  subject text NOT NULL,
  name text NOT NULL,
  before jsonb,
  after jsonb,
  copied_at timestamptz(3)
);
CREATE INDEX ON audit_log (account_id, id);
CREATE INDEX ON audit_log (id) WHERE copied_at IS NULL;
COMMENT ON TABLE audit_log IS 'One row per row of the configuration that was made, changed or deleted';
COMMENT ON COLUMN audit_log.id IS 'Identifier [none]';
COMMENT ON COLUMN audit_log.at IS 'When [none]';
COMMENT ON COLUMN audit_log.actor IS 'user, admin_token, server_key, service or database [none]';
COMMENT ON COLUMN audit_log.user_id IS 'The person, where it was one [pseudonymous]';
COMMENT ON COLUMN audit_log.actor_name IS 'Name of the person, or of the user of PostgreSQL [personal]';
COMMENT ON COLUMN audit_log.address IS 'Address that the request came from; empty for none [personal]';
COMMENT ON COLUMN audit_log.account_id IS 'Account that it is about; null for the installation [none]';
COMMENT ON COLUMN audit_log.project_id IS 'Project that it is about [none]';
COMMENT ON COLUMN audit_log.partner_id IS 'Partner that it is about [none]';
COMMENT ON COLUMN audit_log.action IS 'create, change or delete [none]';
COMMENT ON COLUMN audit_log.subject IS 'The table [none]';
COMMENT ON COLUMN audit_log.name IS 'Which row of it, for people [personal]';
COMMENT ON COLUMN audit_log.before IS 'The fields that differ, as they were; secrets are left out [personal]';
COMMENT ON COLUMN audit_log.after IS 'The same, as they are since [personal]';
COMMENT ON COLUMN audit_log.copied_at IS 'When it was copied to ClickHouse; null before [none]';

-- A row of the configuration as the audit log shows it: without what nobody is to read or what says nothing.
CREATE FUNCTION shown(one jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT one - '{sha256,password,totp_secret,totp_last_step,recovery_codes,revision,updated_at,id}'::text[]
    || CASE WHEN one ? 'password' THEN jsonb_build_object(
      'password', 'set, ' || left(encode(sha256(convert_to(one->>'password', 'UTF8')), 'hex'), 8),
      'second_factor', one->>'totp_secret' IS NOT NULL) ELSE '{}'::jsonb END;
$$;

-- The fields of one that the other does not have, or has otherwise.
CREATE FUNCTION differing(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(field.key, field.value)
  FROM jsonb_each(one) AS field WHERE other->field.key IS DISTINCT FROM field.value;
$$;

-- Notes what one statement did to the rows of a table: arrays of the rows as they were, and as they are since. The
-- service says who acts in the setting adtrail.actor of the transaction; without it somebody works by hand.
CREATE FUNCTION note_rows(about text, befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
  WITH actor AS MATERIALIZED (
    SELECT coalesce(given->>'kind', 'database') AS kind, (given->>'user_id')::integer AS user_id,
      coalesce(given->>'name', session_user) AS name, coalesce(given->>'address', '') AS address
    FROM (SELECT nullif(current_setting('adtrail.actor', true), '')::jsonb AS given) AS setting
  ),
  pairs AS MATERIALIZED (
    SELECT coalesce(after, before) AS value, shown(before) AS before, shown(after) AS after
    FROM unnest(befores, afters) AS pair (before, after)
  ),
  entries AS MATERIALIZED (
    SELECT before, after,
      (value->>'id')::integer AS id, (value->>'account_id')::integer AS account_id,
      CASE about WHEN 'projects' THEN (value->>'id')::integer ELSE (value->>'project_id')::integer END AS project_id,
      CASE about WHEN 'partners' THEN (value->>'id')::integer ELSE (value->>'partner_id')::integer END AS partner_id,
      (value->>'campaign_id')::integer AS campaign_id, (value->>'user_id')::integer AS user_id,
      CASE about
        WHEN 'exchange_rates' THEN concat_ws(' ', value->>'currency', value->>'date')
        WHEN 'project_keys' THEN concat_ws(' ', value->>'kind', value->>'id')
        ELSE coalesce(value->>'display_id', value->>'email', value->>'app_id', value->>'name')
      END AS name
    FROM pairs
    WHERE before IS DISTINCT FROM after
  )
  INSERT INTO audit_log (actor, user_id, actor_name, address, account_id, project_id, partner_id,
    action, subject, name, before, after)
  SELECT actor.kind, actor.user_id, actor.name, actor.address,
    coalesce(entry.account_id, project.account_id, CASE about WHEN 'accounts' THEN entry.id END),
    coalesce(entry.project_id, campaign.project_id), entry.partner_id,
    CASE WHEN entry.before IS NULL THEN 'create' WHEN entry.after IS NULL THEN 'delete' ELSE 'change' END,
    about,
    coalesce(CASE about WHEN 'partner_switches' THEN partner.name END, entry.name, campaign.display_id, person.email,
      partner.name, ''),
    CASE WHEN entry.after IS NULL THEN entry.before ELSE differing(entry.before, entry.after) END,
    CASE WHEN entry.before IS NULL THEN entry.after ELSE differing(entry.after, entry.before) END
  FROM entries AS entry
  CROSS JOIN actor
  LEFT JOIN campaigns AS campaign ON campaign.id = entry.campaign_id
  LEFT JOIN projects AS project ON project.id = coalesce(entry.project_id, campaign.project_id)
  LEFT JOIN partners AS partner ON partner.id = entry.partner_id
  LEFT JOIN users AS person ON person.id = entry.user_id;
$$;

-- What a trigger does after a statement. The columns of the key pair the rows of before with those of after.
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_rows(TG_TABLE_NAME, array_fill(NULL::jsonb, ARRAY[cardinality(rows)]), rows)
    FROM (SELECT array_agg(to_jsonb(one)) AS rows FROM after_rows AS one) AS changed WHERE rows IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM note_rows(TG_TABLE_NAME, rows, array_fill(NULL::jsonb, ARRAY[cardinality(rows)]))
    FROM (SELECT array_agg(to_jsonb(one)) AS rows FROM before_rows AS one) AS changed WHERE rows IS NOT NULL;
  ELSE
    PERFORM note_rows(TG_TABLE_NAME, befores, afters)
    FROM (
      SELECT array_agg(earlier.value) AS befores, array_agg(later.value) AS afters
      FROM (SELECT to_jsonb(one) AS value FROM before_rows AS one) AS earlier
      JOIN (SELECT to_jsonb(one) AS value FROM after_rows AS one) AS later
        ON earlier.value->>TG_ARGV[0] = later.value->>TG_ARGV[0]
          AND earlier.value->>TG_ARGV[1] = later.value->>TG_ARGV[1]
    ) AS changed WHERE befores IS NOT NULL;
  END IF;
  RETURN NULL;
END;
$$;

DO $$
DECLARE
  kept record;
BEGIN
  FOR kept IN SELECT * FROM (VALUES
    ('accounts', 'id', 'id'), ('partners', 'id', 'id'), ('partner_tokens', 'id', 'id'),
    ('exchange_rates', 'date', 'currency'), ('projects', 'id', 'id'), ('project_keys', 'id', 'id'),
    ('apps', 'id', 'id'), ('domains', 'id', 'id'), ('store_listings', 'id', 'id'), ('network_accounts', 'id', 'id'),
    ('partner_switches', 'project_id', 'partner_id'), ('custom_channels', 'id', 'id'), ('campaigns', 'id', 'id'),
    ('campaign_pauses', 'id', 'id'), ('users', 'id', 'id'), ('memberships', 'id', 'id')
  ) AS list (table_name, first_key, second_key)
  LOOP
    EXECUTE format('CREATE TRIGGER note_create AFTER INSERT ON %I REFERENCING NEW TABLE AS after_rows '
      'FOR EACH STATEMENT EXECUTE FUNCTION note_change()', kept.table_name);
    EXECUTE format('CREATE TRIGGER note_change AFTER UPDATE ON %I REFERENCING OLD TABLE AS before_rows '
      'NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change(%L, %L)',
      kept.table_name, kept.first_key, kept.second_key);
    EXECUTE format('CREATE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS before_rows '
      'FOR EACH STATEMENT EXECUTE FUNCTION note_change()', kept.table_name);
  END LOOP;
END;
$$;
