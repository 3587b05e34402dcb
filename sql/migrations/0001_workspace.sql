-- The workspace: who advertises what, through whom, and with which keys. Nothing here is ever deleted for good:
-- a deleted campaign or a revoked secret keeps its row, so that its name is not given out again.

-- Every change locks this one row, then counts it up: changes happen one after the other, and a process that has seen
-- revision n has seen everything up to it. Campaigns, which can be many, carry the revision that wrote them last.
CREATE TABLE configuration (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  revision bigint NOT NULL
);
INSERT INTO configuration (revision) VALUES (0);

CREATE TABLE accounts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  billing_status text NOT NULL DEFAULT 'active',
  payment_link text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE partners (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Tokens are stored as SHA-256 only. valid_until is set when a newer token replaces this one.
CREATE TABLE partner_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partner_id integer NOT NULL REFERENCES partners,
  sha256 text NOT NULL UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  valid_until timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX ON partner_tokens (partner_id);

-- One unit of the currency in US dollars on a day.
CREATE TABLE exchange_rates (
  date date NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  usd numeric NOT NULL CHECK (usd > 0),
  PRIMARY KEY (date, currency)
);

CREATE TABLE projects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts,
  name text NOT NULL,
  timezone text NOT NULL,
  currency text NOT NULL DEFAULT 'USD',
  web_campaigns boolean NOT NULL DEFAULT false,
  website text,
  attribution jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (account_id, name)
);

-- Keys are stored as SHA-256 only.
CREATE TABLE project_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  kind text NOT NULL CHECK (kind IN ('server_key', 'app_key', 'web_key')),
  sha256 text NOT NULL UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX ON project_keys (project_id);

-- app_id is in its canonical form: App Store IDs carry their id prefix.
CREATE TABLE apps (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  platform text NOT NULL CHECK (platform IN ('ANDROID', 'IOS')),
  app_id text NOT NULL,
  team_id text,
  bundle_id text,
  sha256_cert_fingerprints text[] NOT NULL DEFAULT '{}',
  UNIQUE (project_id, app_id)
);

CREATE TABLE domains (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL UNIQUE CHECK (name = lower(name)),
  is_primary boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX ON domains (project_id) WHERE is_primary;

CREATE TABLE store_listings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  store_listing_id text NOT NULL,
  name text NOT NULL,
  platform text NOT NULL CHECK (platform IN ('ANDROID', 'IOS')),
  url text,
  UNIQUE (project_id, store_listing_id)
);

CREATE TABLE network_accounts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  network text NOT NULL,
  external_customer_id text NOT NULL,
  name text,
  email text,
  status text NOT NULL DEFAULT 'active',
  capi_configured boolean NOT NULL DEFAULT false,
  currency text NOT NULL DEFAULT 'USD',
  account_name text,
  UNIQUE (project_id, external_customer_id)
);

-- What an advertiser has turned on for a partner in a project. ctv_apps are app IDs of the project.
CREATE TABLE partner_switches (
  project_id integer NOT NULL REFERENCES projects,
  partner_id integer NOT NULL REFERENCES partners,
  s2s_clicks boolean NOT NULL DEFAULT false,
  s2s_traffic boolean NOT NULL DEFAULT false,
  view_through boolean NOT NULL DEFAULT false,
  ctv_apps text[] NOT NULL DEFAULT '{}',
  view_window_hours integer NOT NULL DEFAULT 24 CHECK (view_window_hours >= 0),
  PRIMARY KEY (project_id, partner_id)
);

CREATE TABLE custom_channels (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  slug text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  UNIQUE (project_id, slug)
);

-- account_id repeats the project's, so that a display_id can be unique within the account.
CREATE TABLE campaigns (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts,
  project_id integer NOT NULL REFERENCES projects,
  display_id text COLLATE "C" NOT NULL CHECK (display_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name text NOT NULL,
  is_system boolean NOT NULL DEFAULT false,
  partner_id integer REFERENCES partners,
  network text,
  network_campaign_id text,
  network_account_id integer REFERENCES network_accounts,
  web_to_app boolean NOT NULL DEFAULT false,
  utm_ids text[] NOT NULL DEFAULT '{}',
  deeplink text,
  domain_id integer REFERENCES domains,
  is_shortlink boolean NOT NULL DEFAULT false,
  website text,
  android_web_redirect text,
  ios_web_redirect text,
  custom_channel_id integer REFERENCES custom_channels,
  store_listing_ids integer[] NOT NULL DEFAULT '{}',
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  revision bigint NOT NULL,
  UNIQUE (account_id, display_id)
);
CREATE UNIQUE INDEX ON campaigns (project_id) WHERE is_system;
CREATE INDEX ON campaigns (revision);

-- Filtered lists of campaigns, newest first, are read from this index alone, whatever the filters and the page.
CREATE INDEX campaigns_in_order ON campaigns (project_id, created_at DESC, display_id)
  INCLUDE (id, active, network, partner_id, domain_id) WHERE deleted_at IS NULL;

-- How many there are: hardly more entries than combinations of filters, which PostgreSQL stores once each.
CREATE INDEX campaigns_by_filter ON campaigns (project_id, active, network, partner_id, domain_id)
  WHERE deleted_at IS NULL;

-- One campaign by the display_id of its links, the partners with a campaign in a project, and campaigns of ad networks.
CREATE INDEX campaigns_by_display_id ON campaigns (project_id, display_id) WHERE deleted_at IS NULL;
CREATE INDEX campaigns_by_partner ON campaigns (project_id, partner_id)
  WHERE deleted_at IS NULL AND partner_id IS NOT NULL;
CREATE INDEX campaigns_of_networks ON campaigns (project_id, network, network_campaign_id)
  WHERE network_campaign_id IS NOT NULL AND deleted_at IS NULL;

-- One row per pause of a web campaign; unpaused_at is null while it lasts. Events credited to the campaign in between
-- count for nothing, so the times stay.
CREATE TABLE campaign_pauses (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign_id integer NOT NULL REFERENCES campaigns,
  paused_at timestamptz(3) NOT NULL DEFAULT now(),
  unpaused_at timestamptz(3)
);
CREATE UNIQUE INDEX ON campaign_pauses (campaign_id) WHERE unpaused_at IS NULL;

-- Numbers receipts of ad spend, for all processes and across restarts: a later receipt has a greater number.
CREATE SEQUENCE spend_receipts;
