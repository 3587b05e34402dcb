-- What partners and advertisers are told, and where: templates of postbacks, and webhooks with their secrets.
-- A template with no project is a partner's own default in all projects; one with a project overrides it there, for
-- one partner or, without one, for every partner.
CREATE TABLE IF NOT EXISTS postback_templates (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partner_id integer REFERENCES partners,
  project_id integer REFERENCES projects,
  event text NOT NULL,
  method text CHECK (method IN ('GET', 'POST')),
  url text,
  headers jsonb NOT NULL DEFAULT '{}',
  body jsonb,
  withhold text[] NOT NULL DEFAULT '{}',
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  switched_off_at timestamptz(3),
  CHECK (partner_id IS NOT NULL OR project_id IS NOT NULL),
  UNIQUE NULLS NOT DISTINCT (partner_id, project_id, event)
);
CREATE INDEX IF NOT EXISTS postback_templates_project_id_idx ON postback_templates (project_id);
COMMENT ON TABLE postback_templates IS 'What partners are told of an event, and how';
COMMENT ON COLUMN postback_templates.id IS 'Identifier [none]';
COMMENT ON COLUMN postback_templates.partner_id IS 'The partner; null for an override for every partner [none]';
COMMENT ON COLUMN postback_templates.project_id IS 'Project that overrides; null for a default of the partner [none]';
COMMENT ON COLUMN postback_templates.event IS 'install, reinstall, ..., rejected, or event:<name> [none]';
COMMENT ON COLUMN postback_templates.method IS 'GET or POST; null, with url, where an override only withholds [none]';
COMMENT ON COLUMN postback_templates.url IS 'Where it is sent, with macros [none]';
COMMENT ON COLUMN postback_templates.headers IS 'Headers by name, their values with macros [none]';
COMMENT ON COLUMN postback_templates.body IS 'A text with macros, or JSON whose texts have them; null for none [none]';
COMMENT ON COLUMN postback_templates.withhold IS 'What an override keeps from the partner: amounts, device_ids [none]';
COMMENT ON COLUMN postback_templates.enabled IS 'Whether it is sent; an override that is off keeps it back [none]';
COMMENT ON COLUMN postback_templates.created_at IS 'When it was added [none]';
COMMENT ON COLUMN postback_templates.switched_off_at IS 'When its receiver answered 410; null while in use [none]';

CREATE TABLE IF NOT EXISTS webhooks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  url text NOT NULL,
  events text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  switched_off_at timestamptz(3),
  UNIQUE (project_id, url)
);
COMMENT ON TABLE webhooks IS 'Where the servers of an advertiser are told of events of a project';
COMMENT ON COLUMN webhooks.id IS 'Identifier [none]';
COMMENT ON COLUMN webhooks.project_id IS 'Project whose events it is told [none]';
COMMENT ON COLUMN webhooks.url IS 'Where it is sent [none]';
COMMENT ON COLUMN webhooks.events IS 'Events that are sent; * alone for all [none]';
COMMENT ON COLUMN webhooks.enabled IS 'Whether it is sent [none]';
COMMENT ON COLUMN webhooks.created_at IS 'When it was added [none]';
COMMENT ON COLUMN webhooks.switched_off_at IS 'When its receiver answered 410; null while it is in use [none]';

CREATE TABLE IF NOT EXISTS webhook_secrets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id integer NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  secret text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  valid_until timestamptz(3)
);
CREATE INDEX IF NOT EXISTS webhook_secrets_webhook_id_idx ON webhook_secrets (webhook_id);
COMMENT ON TABLE webhook_secrets IS 'Secrets that sign what a webhook is sent; during a rotation two of them';
COMMENT ON COLUMN webhook_secrets.id IS 'Identifier [none]';
COMMENT ON COLUMN webhook_secrets.webhook_id IS 'The webhook [none]';
COMMENT ON COLUMN webhook_secrets.secret IS 'whsec_ and Base64; as it is, for it signs [none]';
COMMENT ON COLUMN webhook_secrets.created_at IS 'When it was added [none]';
COMMENT ON COLUMN webhook_secrets.valid_until IS 'Until when it signs beside a newer one; null for the newest [none]';

ALTER TABLE projects ADD COLUMN IF NOT EXISTS reject_suspicious boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN projects.reject_suspicious IS 'Whether partners are told suspicious installs as rejected [none]';

-- What may hold a secret, as the audit log shows it: that it is set, and a mark by which a change shows.
CREATE OR REPLACE FUNCTION marked(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'set, ' || left(encode(sha256(convert_to(value, 'UTF8')), 'hex'), 4);
$$;

-- A URL without user info and without the values of parameters that sound like secrets.
CREATE OR REPLACE FUNCTION shown_url(url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN bare = url THEN url ELSE bare || ' (' || marked(url) || ')' END
  FROM (SELECT regexp_replace(regexp_replace(url, '^([^:/?#]+://)[^/?#]*@', '\1...@'),
    '([?&#;][^=&#;]*(token|key|secret|sig|pass|pwd|auth|cred)[^=&#;]*=)[^&#;]*', '\1...', 'gi') AS bare) AS blanked;
$$;

-- Secrets of webhooks, values of headers and bodies are not for the audit log either.
CREATE OR REPLACE FUNCTION shown(one jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT one
    - '{sha256,password,totp_secret,totp_last_step,recovery_codes,revision,updated_at,id,last_used_at,secret}'::text[]
    || CASE WHEN one ? 'password' THEN jsonb_build_object(
      'password', 'set, ' || left(encode(sha256(convert_to(one->>'password', 'UTF8')), 'hex'), 8),
      'second_factor', one->>'totp_secret' IS NOT NULL) ELSE '{}'::jsonb END
    || CASE WHEN one ? 'url' THEN jsonb_build_object('url', shown_url(one->>'url')) ELSE '{}'::jsonb END
    || CASE WHEN one ? 'body' THEN jsonb_build_object('body', marked(one->>'body')) ELSE '{}'::jsonb END
    || CASE WHEN jsonb_typeof(one->'headers') = 'object' THEN jsonb_build_object('headers',
      (SELECT coalesce(jsonb_object_agg(header.key, marked(header.value)), '{}'::jsonb)
       FROM jsonb_each_text(one->'headers') AS header)) ELSE '{}'::jsonb END;
$$;

-- As in 0013_people.sql. A template is shown by its event, a webhook by its URL, and a secret by that of its webhook.
CREATE OR REPLACE FUNCTION note_rows(about text, befores jsonb[], afters jsonb[]) RETURNS void LANGUAGE sql AS $$
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
      (value->>'webhook_id')::integer AS webhook_id,
      CASE about
        WHEN 'exchange_rates' THEN concat_ws(' ', value->>'currency', value->>'date')
        WHEN 'project_keys' THEN concat_ws(' ', value->>'kind', value->>'id')
        WHEN 'postback_templates' THEN value->>'event'
        WHEN 'webhooks' THEN shown_url(value->>'url')
        ELSE coalesce(value->>'display_id', value->>'email', value->>'app_id', value->>'name')
      END AS name
    FROM pairs
    WHERE before IS DISTINCT FROM after
  )
  INSERT INTO audit_log (actor, user_id, actor_name, address, account_id, project_id, partner_id,
    action, subject, name, before, after)
  SELECT actor.kind, actor.user_id, actor.name, actor.address,
    coalesce(entry.account_id, project.account_id, CASE about WHEN 'accounts' THEN entry.id END),
    coalesce(entry.project_id, campaign.project_id, webhook.project_id), entry.partner_id,
    CASE WHEN entry.before IS NULL THEN 'create' WHEN entry.after IS NULL THEN 'delete' ELSE 'change' END,
    about,
    coalesce(CASE about WHEN 'partner_switches' THEN partner.name END, entry.name, campaign.display_id, person.email,
      shown_url(webhook.url), partner.name, ''),
    CASE WHEN entry.after IS NULL THEN entry.before ELSE differing(entry.before, entry.after) END,
    CASE WHEN entry.before IS NULL THEN entry.after ELSE differing(entry.after, entry.before) END
  FROM entries AS entry
  CROSS JOIN actor
  LEFT JOIN campaigns AS campaign ON campaign.id = entry.campaign_id
  LEFT JOIN webhooks AS webhook ON webhook.id = entry.webhook_id
  LEFT JOIN projects AS project
    ON project.id = coalesce(entry.project_id, campaign.project_id, webhook.project_id)
  LEFT JOIN partners AS partner ON partner.id = entry.partner_id
  LEFT JOIN users AS person ON person.id = entry.user_id;
$$;

DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['postback_templates', 'webhooks', 'webhook_secrets']
  LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON %I REFERENCING NEW TABLE AS after_rows '
      'FOR EACH STATEMENT EXECUTE FUNCTION note_change()', kept);
    EXECUTE format('CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON %I REFERENCING OLD TABLE AS before_rows '
      'NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change(%L, %L)', kept, 'id', 'id');
    EXECUTE format('CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS before_rows '
      'FOR EACH STATEMENT EXECUTE FUNCTION note_change()', kept);
  END LOOP;
END;
$$;
