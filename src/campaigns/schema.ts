/** The forms of the campaign endpoints, as JSON Schema: what input.ts validates with and what the document shows. */
import { closed, instant, list, named } from '../openapi/operation';
import { CHANNEL_NAME_PATTERN } from '../configuration/channels';
import { SERVICE_PATHS } from '../configuration/display-id';

/** Reserved with blanks around it too, which nobody sees. */
const SYSTEM_NAME = '^\\s*MAIN_DOMAIN\\s*$';

/** A value that counts as not given, or as cleared, when it is empty or null. */
const orEmpty = (schema: object) => ({ anyOf: [schema, { enum: ['', null] }] });

export const nameSchema = { type: 'string', pattern: '\\S', maxLength: 255 } as const;
export const newNameSchema = { ...nameSchema, not: { pattern: SYSTEM_NAME } } as const;
export const deeplinkSchema = {
  type: 'string',
  maxLength: 2048,
  format: 'deeplink',
  description: 'An absolute URL that opens an app; none that runs script, carries its own content or has credentials.',
} as const;
export const webUrlSchema = {
  type: 'string',
  maxLength: 2048,
  format: 'web-url',
  description: 'An absolute http or https URL without credentials.',
} as const;
export const displayIdSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  not: { enum: SERVICE_PATHS },
} as const;
export const booleanSchema = { type: 'boolean' } as const;
export const storeListingIdsSchema = { type: 'array', items: { type: 'string', pattern: '\\S' } } as const;
/** Applied to names without the blanks around them. */
export const channelNamesSchema = {
  type: 'array',
  maxItems: 1,
  items: { type: 'string', minLength: 1, maxLength: 79, pattern: CHANNEL_NAME_PATTERN },
  description: 'At most one name, which no default channel has. Blanks around it do not count.',
} as const;

export const filterSchema = { type: 'string', enum: ['ACTIVE', 'INACTIVE', 'ALL'], default: 'ALL' } as const;
export const listLimits = { default: 100, maximum: 1000 } as const;

export const createSchema = named('NewCampaign', {
  type: 'object',
  required: ['name'],
  properties: {
    name: newNameSchema,
    deeplink: orEmpty(deeplinkSchema),
    link_for_desktop_users: orEmpty(webUrlSchema),
    android_web_redirect: orEmpty(webUrlSchema),
    ios_web_redirect: orEmpty(webUrlSchema),
    custom_display_id: orEmpty(displayIdSchema),
    is_shortlink: orEmpty(booleanSchema),
    domain: orEmpty({ type: 'string', description: "A domain of the project; by default the project's primary one." }),
    store_listing_ids: { anyOf: [storeListingIdsSchema, { type: 'null' }] },
    custom_channel_names: channelNamesSchema,
  },
});

const editable = {
  name: nameSchema,
  active: booleanSchema,
  website: orEmpty(webUrlSchema),
  link_for_desktop_users: orEmpty(webUrlSchema),
  android_web_redirect: orEmpty(webUrlSchema),
  ios_web_redirect: orEmpty(webUrlSchema),
  custom_channel_names: channelNamesSchema,
};
/** The fields of which an edit needs at least one. */
export const EDITABLE = Object.keys(editable);
export const editSchema = named('CampaignChanges', {
  type: 'object',
  properties: editable,
  anyOf: EDITABLE.map((field) => ({ required: [field] })),
});

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const flag = { type: 'boolean' } as const;

const storeListing = named(
  'StoreListing',
  closed({ store_listing_id: text, name: text, platform: { type: 'string', enum: ['IOS', 'ANDROID'] } }),
);
const networkAccount = closed({ id: { type: 'integer' }, name: textOrNull, status: text, capi_configured: flag });
const customChannel = named('CustomChannel', closed({ id: { type: 'integer' }, name: text, slug: text }));
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
  attributed_users: { type: 'integer', minimum: 0 },
};

export const listedSchema = named(
  'Campaign',
  closed({
    ...flags,
    link: { ...text, description: 'The tracking link.' },
    shareable_link: text,
    website: { ...textOrNull, description: 'Where desktop users go.' },
    domain: textOrNull,
    store_listings: list(storeListing),
    network_account: { ...networkAccount, type: ['object', 'null'] },
  }),
);

export const createdSchema = named(
  'CreatedCampaign',
  closed({
    id: { type: 'integer' },
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
