/** The form of the workspace document (docs/contract/workspace.md). */
import { CHANNEL_NAME_PATTERN } from '../configuration/channels';
import { SERVICE_PATHS } from '../configuration/display-id';
import { exportEntry, MOST_EXPORTS } from '../configuration/exports';
import { switchFields, windowSchema as window } from '../configuration/partner-switches';
import * as postbacks from '../configuration/postbacks/fields';
import { CURRENCY_PATTERN, NETWORK_PATTERN } from '../lib/codes';
import { closed, list, mapTo, nullable, choice, optional, Type, type Static, type TSchema } from '../lib/schema';

const name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });
/** What another system calls something: it is compared as it is. */
const foreignId = Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S(?:[^]*\\S)?$' });
const longText = nullable(Type.String({ maxLength: 2048 }));
const webUrl = nullable(Type.String({ maxLength: 2048, format: 'web-url' }));
const textOrNull = nullable(Type.String());
const uniqueList = <T extends TSchema>(items: T) => list(items, { uniqueItems: true });
const secrets = uniqueList(Type.String({ pattern: '^[\\x21-\\x7e]{1,256}$' }));
const flag = Type.Boolean();
const platform = choice(['ANDROID', 'IOS']);
const network = Type.String({ pattern: NETWORK_PATTERN });
const currency = Type.String({ pattern: CURRENCY_PATTERN });
const instant = Type.String({ format: 'instant' });
const status = choice(['active', 'suspended']);

/** What one unit of any currency that ever was is worth in US dollars: anything else is a slip. */
const RATE = { minimum: 1e-9, maximum: 1e9 };

const { MOST } = postbacks;
const postbackEntry = closed({ event: postbacks.eventField, ...postbacks.givenRequest, ...postbacks.enabled });
const overrideEntry = closed({
  event: postbacks.eventField,
  ...postbacks.givenOverride,
  ...optional({ partner: name }),
});
const secretEntry = closed(postbacks.secret);
const webhookEntry = closed({ ...postbacks.webhook, ...postbacks.enabled, ...optional({ secret: Type.String() }) });
export type PostbackEntry = Static<typeof postbackEntry>;
export type OverrideEntry = Static<typeof overrideEntry>;
export type SecretEntry = Static<typeof secretEntry>;
export type WebhookEntry = Static<typeof webhookEntry>;

const campaign = closed({
  display_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', not: { enum: SERVICE_PATHS } }),
  name,
  ...optional({
    partner: textOrNull,
    network: nullable(network),
    network_campaign_id: longText,
    network_account: textOrNull,
    web_to_app: flag,
    utm_ids: uniqueList(foreignId),
    deeplink: nullable(Type.String({ maxLength: 2048, format: 'deeplink' })),
    domain: textOrNull,
    is_shortlink: flag,
    website: webUrl,
    android_web_redirect: webUrl,
    ios_web_redirect: webUrl,
    custom_channel: nullable(Type.String({ minLength: 1, maxLength: 79, pattern: CHANNEL_NAME_PATTERN })),
    store_listings: uniqueList(Type.String()),
    active: flag,
    created_at: instant,
  }),
});
export type CampaignDocument = Static<typeof campaign>;

const attribution = closed(
  optional({
    click_window_days: mapTo(window, { propertyNames: { pattern: NETWORK_PATTERN } }),
    ip_click_window_hours: window,
    view_window_hours: window,
    ctv_window_hours: window,
    reinstall_window_days: window,
    inactivity_days: window,
  }),
);
const app = closed({
  platform,
  // With its prefix in capitals an App Store ID would be that of no app.
  app_id: Type.String({ pattern: '^(?!I[dD]\\d+$|iD\\d+$)[A-Za-z0-9._-]{1,255}$' }),
  ...optional({
    // As Apple compares them with an app: in capitals, and the bundle without the team before it.
    team_id: nullable(Type.String({ pattern: '^[A-Z0-9]{10}$' })),
    bundle_id: nullable(Type.String({ pattern: '^(?![A-Z0-9]{10}\\.)[A-Za-z0-9.-]{1,155}$' })),
    sha256_cert_fingerprints: list(
      Type.String({ pattern: '^(?:(?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}|[0-9A-Fa-f]{64})$' }),
    ),
  }),
});
const domain = closed({
  name: Type.String({ format: 'domain', maxLength: 254 }),
  ...optional({ primary: flag }),
});
const storeListing = closed({ store_listing_id: foreignId, name, platform, ...optional({ url: webUrl }) });
const networkAccount = closed({
  network,
  external_customer_id: foreignId,
  ...optional({
    name: longText,
    email: longText,
    status: Type.String({ minLength: 1, maxLength: 64 }),
    capi_configured: flag,
    currency,
    account_name: longText,
  }),
});

/** Resolved by `timezoneResolver` where it is stored. */
const timezone = Type.String({ minLength: 1, maxLength: 64 });
/** Revenue per spend: what is beyond is a slip. */
const targetRoas = Type.Number({ minimum: 0.01, maximum: 100 });
/** A language, with its script and its country where they matter: `en-GB`, `zh-Hant-TW`. */
const locale = Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?$' });
const parts = {
  currency,
  target_roas: targetRoas,
  locale,
  web_campaigns: flag,
  website: webUrl,
  attribution,
  apps: list(app),
  domains: list(domain),
  store_listings: list(storeListing),
  network_accounts: list(networkAccount),
  partner_switches: list(closed({ partner: name, ...switchFields })),
  campaigns: list(campaign),
  postback_overrides: list(overrideEntry, { maxItems: MOST.postback_overrides }),
  postback_secrets: list(secretEntry, { maxItems: MOST.postback_secrets }),
  webhooks: list(webhookEntry, { maxItems: MOST.webhooks }),
  reject_suspicious: flag,
};
const project = closed({
  name,
  account: name,
  timezone,
  ...optional({
    ...parts,
    created_at: instant,
    server_keys: secrets,
    app_keys: secrets,
    web_keys: secrets,
    // Operators only: the keys of buckets and the folder belong to the installation.
    exports: list(exportEntry, { maxItems: MOST_EXPORTS }),
  }),
});
export type ProjectDocument = Static<typeof project>;

const accountSettings = { analyst_sql: flag };
/** What an owner sets of an account; what is omitted stays as it is. */
export const accountSettingsSchema = closed(optional(accountSettings), {
  title: 'AccountSettings',
  minProperties: 1,
});
export type AccountSettings = Static<typeof accountSettingsSchema>;

/** A new project of an account, as its people make it; the rest is set afterwards. */
export const newProjectSchema = closed({ name, account: name, timezone, ...optional({ currency, website: webUrl }) });

/** What changes in one project, its name too; what is omitted stays as it is. */
export const projectSettingsSchema = closed(optional({ name, timezone, ...parts }), {
  title: 'ProjectSettings',
  minProperties: 1,
});
export type ProjectSettings = Static<typeof projectSettingsSchema>;

export const workspaceSchema = closed(
  optional({
    accounts: list(closed({ name, ...optional({ billing_status: status, payment_link: webUrl, ...accountSettings }) })),
    partners: list(
      closed({
        name,
        ...optional({
          status,
          tokens: secrets,
          postback_secrets: list(secretEntry, { maxItems: MOST.postback_secrets }),
          postbacks: list(postbackEntry, { maxItems: MOST.postbacks }),
        }),
      }),
    ),
    exchange_rates: list(closed({ date: Type.String({ format: 'day' }), currency, usd: Type.Number(RATE) })),
    projects: list(project),
  }),
  { title: 'Workspace' },
);
export type WorkspaceDocument = Static<typeof workspaceSchema>;
