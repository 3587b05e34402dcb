/** The forms of the campaign endpoints, as JSON Schema: what input.ts validates with and what the document shows. */
import {
  closed,
  instant,
  list,
  named,
  nullable,
  choice,
  optional,
  Type,
  type Static,
  type TSchema,
} from '../lib/schema';
import { CHANNEL_NAME_PATTERN } from '../configuration/channels';
import { SERVICE_PATHS } from '../configuration/display-id';

/** Reserved with blanks around it too, which nobody sees. */
const SYSTEM_NAME = '^\\s*MAIN_DOMAIN\\s*$';

/** A value that counts as not given, or as cleared, when it is empty or null. */
const orEmpty = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | '' | null>({ anyOf: [schema, choice(['', null])] });

const name = { pattern: '\\S', maxLength: 255 };
export const nameSchema = Type.String(name);
export const newNameSchema = Type.String({ ...name, not: { pattern: SYSTEM_NAME } });
export const deeplinkSchema = Type.String({
  maxLength: 2048,
  format: 'deeplink',
  description: 'An absolute URL that opens an app; none that runs script, carries its own content or has credentials.',
});
export const webUrlSchema = Type.String({
  maxLength: 2048,
  format: 'web-url',
  description: 'An absolute http or https URL without credentials.',
});
export const displayIdSchema = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', not: choice(SERVICE_PATHS) });
export const booleanSchema = Type.Boolean();
export const storeListingIdsSchema = Type.Array(Type.String({ pattern: '\\S' }));
/** Applied to names without the blanks around them. */
export const channelNamesSchema = Type.Array(
  Type.String({ minLength: 1, maxLength: 79, pattern: CHANNEL_NAME_PATTERN }),
  { maxItems: 1, description: 'At most one name, which no default channel has. Blanks around it do not count.' },
);

export const FILTERS = ['ACTIVE', 'INACTIVE', 'ALL'] as const;
export const DEFAULT_FILTER = 'ALL';
export const filterSchema = choice(FILTERS, Type.String({ default: DEFAULT_FILTER }));
export const listLimits = { default: 100, maximum: 1000 } as const;

export const createSchema = Type.Object(
  {
    name: newNameSchema,
    ...optional({
      deeplink: orEmpty(deeplinkSchema),
      link_for_desktop_users: orEmpty(webUrlSchema),
      android_web_redirect: orEmpty(webUrlSchema),
      ios_web_redirect: orEmpty(webUrlSchema),
      custom_display_id: orEmpty(displayIdSchema),
      is_shortlink: orEmpty(booleanSchema),
      domain: orEmpty(Type.String({ description: "A domain of the project; by default the project's primary one." })),
      store_listing_ids: Type.Union([storeListingIdsSchema, Type.Null()]),
      custom_channel_names: channelNamesSchema,
    }),
  },
  { title: 'NewCampaign' },
);

const editable = optional({
  name: nameSchema,
  active: booleanSchema,
  website: orEmpty(webUrlSchema),
  link_for_desktop_users: orEmpty(webUrlSchema),
  android_web_redirect: orEmpty(webUrlSchema),
  ios_web_redirect: orEmpty(webUrlSchema),
  custom_channel_names: channelNamesSchema,
});
/** The fields of which an edit needs at least one. */
export const EDITABLE = Object.keys(editable);
export const editSchema = Type.Object(editable, {
  title: 'CampaignChanges',
  anyOf: EDITABLE.map((field) => ({ required: [field] })),
});

const text = Type.String();
const textOrNull = nullable(Type.String());
const flag = Type.Boolean();

const storeListing = named(
  'StoreListing',
  closed({ store_listing_id: text, name: text, platform: choice(['IOS', 'ANDROID'], { type: 'string' }) }),
);
const networkAccount = closed({ id: Type.Integer(), name: textOrNull, status: text, capi_configured: flag });
const customChannel = named('CustomChannel', closed({ id: Type.Integer(), name: text, slug: text }));
const customChannels = { ...list(customChannel), maxItems: 1 };

const flags = {
  display_id: text,
  name: text,
  created_at: instant,
  update_at: instant,
  google: { ...flag, description: 'Linked to the Google ad network.' },
  meta: { ...flag, description: 'Linked to the Meta ad network.' },
  meta_campaign_id: textOrNull,
  meta_web_to_app: flag,
  active: flag,
  default_link: { ...flag, description: "The project's system campaign." },
  attributed_users: Type.Integer({ minimum: 0 }),
};

export const listedSchema = named(
  'Campaign',
  closed({
    ...flags,
    link: { ...text, description: 'The tracking link.' },
    shareable_link: text,
    website: { ...textOrNull, description: 'Where desktop users go.' },
    domain: textOrNull,
    custom_channels: customChannels,
    store_listings: list(storeListing),
    network_account: nullable(networkAccount),
  }),
);

export const createdSchema = named(
  'CreatedCampaign',
  closed({
    id: Type.Integer(),
    name: text,
    link: text,
    website: textOrNull,
    display_id: text,
    created_at: instant,
    android_web_redirect: textOrNull,
    ios_web_redirect: textOrNull,
    domain: textOrNull,
    custom_channels: customChannels,
    store_listings: list(storeListing),
  }),
);

export const editedSchema = named(
  'EditedCampaign',
  closed({
    ...flags,
    website: textOrNull,
    android_web_redirect: textOrNull,
    ios_web_redirect: textOrNull,
    custom_channels: customChannels,
  }),
);
