/** The form of the workspace document (docs/contract.md, Workspace), as JSON Schema and as types. */

import { named } from '../openapi/operation';
import { CHANNEL_NAME_PATTERN } from '../configuration/channels';
import { SERVICE_PATHS } from '../configuration/display-id';

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' } as const;
const text = { type: ['string', 'null'], maxLength: 2048 } as const;
const webUrl = { type: ['string', 'null'], maxLength: 2048, format: 'web-url' } as const;
const secrets = {
  type: 'array',
  uniqueItems: true,
  items: { type: 'string', pattern: '^[\\x21-\\x7e]{1,256}$' },
} as const;
/** A window in whole hours or days. One longer than the specification's cap is legal, and has no more effect than the cap. */
const window = { type: 'integer', minimum: 0, maximum: 100_000 } as const;
const switchedOn = { type: 'boolean' } as const;
const platform = { enum: ['ANDROID', 'IOS'] } as const;
const network = { type: ['string', 'null'], pattern: '^[A-Z][A-Z0-9_]{0,63}$' } as const;

const object = (required: readonly string[], properties: Record<string, unknown>) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const list = (items: unknown) => ({ type: 'array', items });

/** What an advertiser switches on for a partner in a project. */
const switchesProperties = {
  s2s_clicks: switchedOn,
  s2s_traffic: switchedOn,
  view_through: switchedOn,
  ctv_apps: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 255 } },
  view_window_hours: window,
} as const;

export const switchesSchema = {
  title: 'PartnerSwitches',
  type: 'object',
  properties: switchesProperties,
  additionalProperties: false,
  minProperties: 1,
} as const;

const campaign = object(['display_id', 'name'], {
  display_id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', not: { enum: SERVICE_PATHS } },
  name,
  partner: { type: ['string', 'null'] },
  network,
  network_campaign_id: text,
  network_account: { type: ['string', 'null'] },
  web_to_app: switchedOn,
  utm_ids: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 255 } },
  deeplink: { type: ['string', 'null'], maxLength: 2048, format: 'deeplink' },
  domain: { type: ['string', 'null'] },
  is_shortlink: switchedOn,
  website: webUrl,
  android_web_redirect: webUrl,
  ios_web_redirect: webUrl,
  custom_channel: { type: ['string', 'null'], minLength: 1, maxLength: 79, pattern: CHANNEL_NAME_PATTERN },
  store_listings: { type: 'array', uniqueItems: true, items: { type: 'string' } },
  active: switchedOn,
  created_at: { type: 'string', format: 'instant' },
});

const project = object(['name', 'account', 'timezone'], {
  name,
  account: name,
  timezone: { type: 'string', format: 'timezone' },
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  created_at: { type: 'string', format: 'instant' },
  web_campaigns: switchedOn,
  website: webUrl,
  server_keys: secrets,
  app_keys: secrets,
  web_keys: secrets,
  attribution: object([], {
    click_window_days: {
      type: 'object',
      additionalProperties: window,
      propertyNames: { pattern: '^(default|[A-Z][A-Z0-9_]{0,63})$' },
    },
    ip_click_window_hours: window,
    view_window_hours: window,
    ctv_window_hours: window,
    reinstall_window_days: window,
    inactivity_days: window,
  }),
  apps: list(
    object(['platform', 'app_id'], {
      platform,
      app_id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,255}$' },
      team_id: text,
      bundle_id: text,
      sha256_cert_fingerprints: {
        type: 'array',
        items: { type: 'string', pattern: '^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$' },
      },
    }),
  ),
  domains: list(
    object(['name'], {
      name: { type: 'string', format: 'hostname', maxLength: 253, pattern: '[^.]$' },
      primary: switchedOn,
    }),
  ),
  store_listings: list(
    object(['store_listing_id', 'name', 'platform'], { store_listing_id: name, name, platform, url: webUrl }),
  ),
  network_accounts: list(
    object(['network', 'external_customer_id'], {
      network: { type: 'string', pattern: network.pattern },
      external_customer_id: name,
      name: text,
      email: text,
      status: { type: 'string', minLength: 1, maxLength: 64 },
      capi_configured: switchedOn,
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      account_name: text,
    }),
  ),
  partner_switches: list(object(['partner'], { partner: name, ...switchesProperties })),
  campaigns: list(campaign),
});

export const workspaceSchema = named(
  'Workspace',
  object([], {
    accounts: list(object(['name'], { name, billing_status: { enum: ['active', 'suspended'] }, payment_link: webUrl })),
    partners: list(object(['name'], { name, status: { enum: ['active', 'suspended'] }, tokens: secrets })),
    exchange_rates: list(
      object(['date', 'currency', 'usd'], {
        date: { type: 'string', format: 'day' },
        currency: { type: 'string', pattern: '^[A-Z]{3}$' },
        usd: { type: 'number', exclusiveMinimum: 0 },
      }),
    ),
    projects: list(project),
  }),
);

export interface Switches {
  s2s_clicks?: boolean;
  s2s_traffic?: boolean;
  view_through?: boolean;
  ctv_apps?: string[];
  view_window_hours?: number;
}

export interface CampaignDocument {
  display_id: string;
  name: string;
  partner?: string | null;
  network?: string | null;
  network_campaign_id?: string | null;
  network_account?: string | null;
  web_to_app?: boolean;
  utm_ids?: string[];
  deeplink?: string | null;
  domain?: string | null;
  is_shortlink?: boolean;
  website?: string | null;
  android_web_redirect?: string | null;
  ios_web_redirect?: string | null;
  custom_channel?: string | null;
  store_listings?: string[];
  active?: boolean;
  created_at?: string;
}

export interface ProjectDocument {
  name: string;
  account: string;
  timezone: string;
  currency?: string;
  created_at?: string;
  web_campaigns?: boolean;
  website?: string | null;
  server_keys?: string[];
  app_keys?: string[];
  web_keys?: string[];
  attribution?: { click_window_days?: Record<string, number>; [window: string]: unknown };
  apps?: {
    platform: string;
    app_id: string;
    team_id?: string | null;
    bundle_id?: string | null;
    sha256_cert_fingerprints?: string[];
  }[];
  domains?: { name: string; primary?: boolean }[];
  store_listings?: { store_listing_id: string; name: string; platform: string; url?: string | null }[];
  network_accounts?: {
    network: string;
    external_customer_id: string;
    name?: string | null;
    email?: string | null;
    status?: string;
    capi_configured?: boolean;
    currency?: string;
    account_name?: string | null;
  }[];
  partner_switches?: ({ partner: string } & Switches)[];
  campaigns?: CampaignDocument[];
}

export interface WorkspaceDocument {
  accounts?: { name: string; billing_status?: string; payment_link?: string | null }[];
  partners?: { name: string; status?: string; tokens?: string[] }[];
  exchange_rates?: { date: string; currency: string; usd: number }[];
  projects?: ProjectDocument[];
}
