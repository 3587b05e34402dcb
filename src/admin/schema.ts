/** The forms of what administration takes besides the workspace document, and of what it answers. */
import { anyObject, closed, instant, list, named, nullable, choice, optional, Type, type TSchema } from '../lib/schema';
import { domainSchema } from './domain-schema';

const KEY_KINDS = ['server_key', 'app_key', 'web_key'] as const;
/** How large a page of a project's campaigns is, unless asked for less. */
export const campaignPage = { default: 1000, maximum: 1000 } as const;

const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const textOrNull = nullable(text);
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const keyKind = choice(KEY_KINDS, { type: 'string' });

export const keySchema = closed({ kind: keyKind });

const platform = choice(['ANDROID', 'IOS'], { type: 'string' });
const day = Type.String({ format: 'date' });

/** One object of each list, by the name of the list. */
export const ROWS: Readonly<Record<string, TSchema>> = {
  accounts: named(
    'Account',
    closed({
      id,
      name: text,
      billing_status: choice(['active', 'suspended'], { type: 'string' }),
      payment_link: textOrNull,
      created_at: instant,
    }),
  ),
  partners: named(
    'Partner',
    closed({
      id,
      name: text,
      status: choice(['active', 'suspended'], { type: 'string' }),
      created_at: instant,
      tokens: { ...count, description: 'How many of its tokens work.' },
    }),
  ),
  exchange_rates: named(
    'ExchangeRate',
    closed({
      date: day,
      currency: text,
      usd: Type.Number({ description: 'What one unit was worth in US dollars.' }),
    }),
  ),
  projects: named(
    'Project',
    closed({
      id,
      name: text,
      account: text,
      timezone: text,
      currency: text,
      web_campaigns: flag,
      website: textOrNull,
      attribution: { ...anyObject, description: 'Attribution windows.' },
      reject_suspicious: { ...flag, description: 'Whether partners are told suspicious installs as rejected.' },
      created_at: instant,
    }),
  ),
  tokens: named(
    'PartnerToken',
    closed({ id, created_at: instant, valid_until: nullable(instant), revoked_at: nullable(instant) }),
  ),
};

/** One object of each list of a project, by the name of the list. */
export const PROJECT_ROWS: Readonly<Record<string, TSchema>> = {
  keys: named(
    'ProjectKey',
    closed({
      id,
      kind: keyKind,
      created_at: instant,
      last_used_at: { ...nullable(instant), description: 'To an hour; null before its first use.' },
      revoked_at: nullable(instant),
    }),
  ),
  apps: named(
    'App',
    closed({
      id,
      platform,
      app_id: text,
      team_id: textOrNull,
      bundle_id: textOrNull,
      sha256_cert_fingerprints: list(text),
    }),
  ),
  domains: domainSchema,
  store_listings: named(
    'ProjectStoreListing',
    closed({ id, store_listing_id: text, name: text, platform, url: textOrNull }),
  ),
  network_accounts: named(
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
  ),
  channels: named('ProjectChannel', closed({ id, name: text, slug: text, active: flag })),
  partners: named(
    'ProjectPartner',
    closed({
      partner_id: id,
      partner: text,
      s2s_clicks: flag,
      s2s_traffic: flag,
      view_through: flag,
      ctv_apps: list(text),
      view_window_hours: count,
    }),
  ),
};

export const campaignRow = named(
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
export const appliedSchema = named(
  'AppliedWorkspace',
  closed({
    created: count,
    updated: count,
    unchanged: count,
    skipped: { ...list(skipped), description: 'What the document asks for and stays away.' },
    secrets: { ...list(secret), description: 'Every secret that had to be generated, shown this once.' },
  }),
);
export const createdKeySchema = named(
  'CreatedKey',
  closed({ id, kind: keyKind, key: { ...text, description: 'Shown this once.' } }),
);
export const readersSchema = named(
  'Readers',
  closed({
    address: { ...text, description: "ClickHouse's HTTP interface, as the service reaches it." },
    embedded: { ...flag, description: 'Whether it is the embedded one, which listens on the loopback address only.' },
    readers: list(
      closed({
        user: text,
        created_at: { ...nullable(instant), description: 'Null where a ClickHouse server does not tell.' },
      }),
    ),
  }),
);
export const createdReaderSchema = named(
  'CreatedReader',
  closed({
    user: { ...text, description: 'Its name in ClickHouse.' },
    password: { ...text, description: 'Shown this once.' },
  }),
);
export const createdTokenSchema = named(
  'CreatedToken',
  closed({
    token: { ...text, description: 'Shown this once.' },
    former_valid_until: { ...nullable(instant), description: 'Until when the tokens before it work.' },
  }),
);
export const pausedSchema = closed({ display_id: text, paused: flag });
export const storedSwitchesSchema = named(
  'StoredPartnerSwitches',
  closed({
    project_id: id,
    partner_id: id,
    s2s_clicks: flag,
    s2s_traffic: flag,
    view_through: flag,
    ctv_apps: list(text),
    view_window_hours: count,
  }),
);
