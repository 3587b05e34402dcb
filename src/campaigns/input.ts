/** Reads the parameters and bodies of the campaign endpoints into legal values (docs/contract/campaigns.md). */
import { reader } from '../lib/validate';
import { channelSlug, RESERVED_CHANNELS } from '../configuration/channels';
import { toPage, type Page } from '../lib/page';
import { Type } from '../lib/schema';
import { pageParameters, queryParameter, readAs, type QueryValues } from '../openapi/operation';
import { normaliseText } from '../lib/text';
import { errors } from './errors';
import * as schema from './schema';

export interface ListInput {
  readonly active: boolean | null;
  readonly channel: string | undefined;
  readonly domain: string | undefined;
  readonly link: string | undefined;
  readonly page: Page;
}

export interface CreateInput {
  readonly name: string;
  readonly deeplink: string | null;
  readonly website: string | null;
  readonly androidWebRedirect: string | null;
  readonly iosWebRedirect: string | null;
  readonly displayId: string | undefined;
  readonly isShortlink: boolean;
  readonly domain: string | undefined;
  readonly storeListingIds: readonly string[];
  readonly channelName: string | undefined;
}

/** What an edit changes; undefined stays as it is, null is cleared. */
export interface EditInput {
  readonly name?: string;
  readonly active?: boolean;
  readonly website?: string | null;
  readonly androidWebRedirect?: string | null;
  readonly iosWebRedirect?: string | null;
  readonly channelName?: string | null;
}

type Body = Readonly<Record<string, unknown>>;

const read = {
  newName: reader(schema.newNameSchema, [
    ['type', errors.nameRequired],
    ['pattern', errors.nameRequired],
    ['maxLength', errors.nameTooLong],
    ['not', errors.nameReserved],
  ]),
  name: reader(schema.nameSchema, [
    ['type', errors.nameEmpty],
    ['pattern', errors.nameEmpty],
    ['maxLength', errors.nameTooLong],
  ]),
  active: reader(schema.booleanSchema, [['type', errors.activeBoolean]]),
  deeplink: reader(
    schema.deeplinkSchema,
    (['type', 'maxLength', 'format'] as const).map((keyword) => [keyword, errors.invalidDeeplink]),
  ),
  webUrl: reader(
    schema.webUrlSchema,
    (['type', 'maxLength', 'format'] as const).map((keyword) => [keyword, errors.invalidUrl]),
  ),
  isShortlink: reader(schema.booleanSchema, [['type', errors.invalidShortlink]]),
  displayId: reader(
    schema.displayIdSchema,
    (['type', 'pattern', 'not'] as const).map((keyword) => [keyword, errors.invalidDisplayId]),
  ),
  storeListingIds: reader(schema.storeListingIdsSchema, [
    ['type', errors.storeListingIds],
    ['pattern', errors.storeListingIds],
  ]),
  channelNames: reader(schema.channelNamesSchema, [
    ['type', errors.channelNames],
    ['maxItems', errors.oneChannel],
    ['minLength', errors.channelEmpty],
    ['maxLength', errors.channelTooLong],
    ['pattern', errors.channelHtml],
  ]),
};

/** `filter` as the value of `active` that it keeps; null for both. */
const ACTIVE: Readonly<Record<(typeof schema.FILTERS)[number], boolean | null>> = {
  ACTIVE: true,
  INACTIVE: false,
  ALL: null,
};
const isFilter = (text: string): text is keyof typeof ACTIVE => (schema.FILTERS as readonly string[]).includes(text);

const text = Type.String();
export const listParameters = [
  ...pageParameters(schema.listLimits),
  readAs(queryParameter('filter', 'By activity.', schema.filterSchema, 'ACTIVE'), (sent = schema.DEFAULT_FILTER) => {
    if (!isFilter(sent)) throw errors.invalidFilter(sent);
    return ACTIVE[sent];
  }),
  queryParameter(
    'channel',
    'An ad network, such as `GOOGLE` or `SNAPCHAT`, or an affiliate with underscores for spaces; in any case.',
    text,
    'Mobi_Ads',
  ),
  queryParameter('domain', 'Campaigns of that domain of the project.', text, 'go.acme.example'),
  queryParameter('link', 'A tracking link: the campaign that it leads to.', text, 'https://go.acme.example/?c=AbC123'),
] as const;

export const toListInput = ({ filter, page, limit, ...query }: QueryValues<typeof listParameters>): ListInput => ({
  ...query,
  active: filter,
  page: toPage({ page, limit }),
});

export function readCreateInput(body: Body): CreateInput {
  const { domain } = body;
  const name = read.newName(body.name);
  const deeplink = ifGiven(body.deeplink, read.deeplink);
  const isShortlink = ifGiven(body.is_shortlink, read.isShortlink) ?? false;
  const displayId = ifGiven(body.custom_display_id, read.displayId);
  if (given(domain) && typeof domain !== 'string') throw errors.domainNotFound(JSON.stringify(domain));
  const website = readUrl(body.link_for_desktop_users);
  return {
    name,
    deeplink: deeplink ?? null,
    website: isShortlink ? null : (website ?? null),
    androidWebRedirect: readUrl(body.android_web_redirect) ?? null,
    iosWebRedirect: readUrl(body.ios_web_redirect) ?? null,
    displayId,
    isShortlink,
    domain: given(domain) ? (domain as string) : undefined,
    storeListingIds: readStoreListingIds(body.store_listing_ids),
    channelName: readChannelName(body.custom_channel_names) ?? undefined,
  };
}

export function readEditInput(body: Body): EditInput {
  if (!schema.EDITABLE.some((field) => body[field] !== undefined)) throw errors.nothingToUpdate();
  const name = body.name === undefined ? undefined : read.name(body.name);
  const active = body.active === undefined ? undefined : read.active(body.active);
  const website = readUrl(body.website);
  const desktop = readUrl(body.link_for_desktop_users);
  if (website !== undefined && desktop !== undefined && website !== desktop) throw errors.websiteTwice();
  return defined({
    name,
    active,
    website: website === undefined ? desktop : website,
    androidWebRedirect: readUrl(body.android_web_redirect),
    iosWebRedirect: readUrl(body.ios_web_redirect),
    channelName: readChannelName(body.custom_channel_names),
  });
}

const given = (value: unknown) => value !== undefined && value !== null && value !== '';
const ifGiven = <T>(value: unknown, readValue: (value: unknown) => T): T | undefined =>
  given(value) ? readValue(value) : undefined;

const defined = (input: Record<string, unknown>): EditInput =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

/** Undefined where not sent; null and the empty string clear. */
const readUrl = (value: unknown): string | null | undefined =>
  value === undefined ? undefined : (ifGiven(value, read.webUrl) ?? null);

const readStoreListingIds = (value: unknown): readonly string[] =>
  value === undefined || value === null ? [] : [...new Set(read.storeListingIds(value))];

/** The one channel name of the array, in its one form; null for an empty array, undefined where not sent. */
function readChannelName(value: unknown): string | null | undefined {
  if (value === undefined) return undefined;
  const normalise = (name: unknown) => (typeof name === 'string' ? normaliseText(name) : name);
  const [name] = read.channelNames(Array.isArray(value) ? value.map(normalise) : value);
  if (name !== undefined && RESERVED_CHANNELS.has(channelSlug(name))) throw errors.channelReserved(name);
  return name ?? null;
}
