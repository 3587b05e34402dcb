/** The forms of what the workspace consists of, as it is shown, and of what applying a document answers. */
import { KEY_KINDS } from '../configuration/queries';
import { anyObject, choice, closed, instant, list, named, nullable, optional, Type } from '../lib/schema';

const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const textOrNull = nullable(text);
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const platform = choice(['ANDROID', 'IOS'], { type: 'string' });

export const account = named(
  'Account',
  closed({
    id,
    name: text,
    billing_status: choice(['active', 'suspended'], { type: 'string' }),
    payment_link: textOrNull,
    analyst_sql: { ...flag, description: 'Whether its analysts may use the SQL console.' },
    created_at: instant,
  }),
);
export const exchangeRate = named(
  'ExchangeRate',
  closed({
    date: Type.String({ format: 'date' }),
    currency: text,
    usd: Type.Number({ description: 'What one unit was worth in US dollars.' }),
  }),
);
export const project = named(
  'Project',
  closed({
    id,
    name: text,
    account: text,
    timezone: text,
    currency: text,
    web_campaigns: flag,
    website: textOrNull,
    target_roas: Type.Number({ description: 'Revenue per spend that campaigns must reach to be worth their cost.' }),
    locale: { ...text, description: 'How the dashboard writes numbers and dates.' },
    attribution: { ...anyObject, description: 'Attribution windows.' },
    reject_suspicious: { ...flag, description: 'Whether partners are told suspicious installs as rejected.' },
    created_at: instant,
  }),
);

export const app = named(
  'App',
  closed({
    id,
    platform,
    app_id: text,
    team_id: textOrNull,
    bundle_id: textOrNull,
    sha256_cert_fingerprints: list(text),
  }),
);
export const storeListing = named(
  'ProjectStoreListing',
  closed({ id, store_listing_id: text, name: text, platform, url: textOrNull }),
);
export const networkAccount = named(
  'NetworkAccount',
  closed({
    id,
    network: text,
    external_customer_id: text,
    name: textOrNull,
    email: textOrNull,
    status: text,
    capi_configured: flag,
    currency: text,
    account_name: textOrNull,
  }),
);

export const campaign = named(
  'ProjectCampaign',
  closed({
    id,
    display_id: text,
    name: text,
    partner: textOrNull,
    network: textOrNull,
    network_campaign_id: textOrNull,
    active: flag,
    default_link: flag,
    created_at: instant,
    update_at: instant,
    paused: flag,
  }),
);
export const paused = closed({ display_id: text, paused: flag });

const secret = closed({
  kind: choice(['partner_token', ...KEY_KINDS, 'webhook_secret'], { type: 'string' }),
  value: text,
  ...optional({ partner: text, project: text, url: text }),
});
const skipped = closed({
  kind: text,
  reason: choice(['deleted', 'revoked', 'replaced'], { type: 'string' }),
  ...optional({ partner: text, project: text, display_id: text, url: text }),
});
const fields = { ...nullable(Type.Object({})), description: 'By name; of a change those that differ.' };
const changedRow = named(
  'WorkspaceChange',
  closed({
    action: choice(['create', 'change', 'delete'], { type: 'string' }),
    subject: { ...text, description: 'Kind of what changes, as in the audit log.' },
    name: text,
    before: fields,
    after: fields,
  }),
);
export const applied = named(
  'AppliedWorkspace',
  closed({
    created: count,
    updated: count,
    unchanged: count,
    skipped: { ...list(skipped), description: 'What the document asks for and stays away.' },
    secrets: { ...list(secret), description: 'Every secret that had to be generated, shown this once.' },
    ...optional({
      dry_run: { ...flag, description: 'True where nothing was changed.' },
      changed: { ...count, description: 'Of a dry run: how many entries the audit log would have of it.' },
      changes: { ...list(changedRow), description: 'Of a dry run: the first 500 of these entries.' },
    }),
  }),
);
export const createdProject = named(
  'CreatedProject',
  closed({ id, name: text, secrets: { ...list(secret), description: 'Its keys, shown this once.' } }),
);
