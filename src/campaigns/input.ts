/** Reads the parameters and bodies of the campaign endpoints into legal values (spec.md, endpoints 1, 4 and 5). */
import { isDisplayId } from '../projects/display-id';
import { channelSlug, RESERVED_CHANNELS } from '../projects/channels';
import { readPage, type Page } from '../page';
import { isDeeplink, isWebUrl } from '../urls';
import { faults } from './faults';

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

const MAX_NAME = 255;
const MAX_URL = 2048;
const MAX_CHANNEL_NAME = 80;
const length = (text: string) => [...text].length;

const ACTIVE: ReadonlyMap<string, boolean | null> = new Map([['ACTIVE', true], ['INACTIVE', false], ['ALL', null]]);

/** A repeated parameter counts as first sent; one sent empty counts as not sent. */
export function readListInput(query: URLSearchParams): ListInput {
  const get = (name: string) => query.get(name) || undefined;
  const page = readPage(get('page'), get('limit'), 100, 1000);
  const filter = get('filter') ?? 'ALL';
  const active = ACTIVE.get(filter);
  if (active === undefined) throw faults.invalidFilter(filter);
  return { active, channel: get('channel'), domain: get('domain'), link: get('link'), page };
}

export function readCreateInput(body: Body): CreateInput {
  const { name, deeplink, is_shortlink, custom_display_id, domain } = body;
  if (typeof name !== 'string' || name.trim() === '') throw faults.nameRequired();
  if (length(name) > MAX_NAME) throw faults.nameTooLong();
  if (name === 'MAIN_DOMAIN') throw faults.nameReserved();
  if (given(deeplink) && (typeof deeplink !== 'string' || length(deeplink) > MAX_URL || !isDeeplink(deeplink))) throw faults.invalidDeeplink();
  if (given(is_shortlink) && typeof is_shortlink !== 'boolean') throw faults.invalidShortlink();
  if (given(custom_display_id) && (typeof custom_display_id !== 'string' || !isDisplayId(custom_display_id))) throw faults.invalidDisplayId();
  if (given(domain) && typeof domain !== 'string') throw faults.domainNotFound(JSON.stringify(domain));
  const website = readUrl(body.link_for_desktop_users);
  return {
    name,
    deeplink: given(deeplink) ? (deeplink as string) : null,
    website: is_shortlink === true ? null : (website ?? null),
    androidWebRedirect: readUrl(body.android_web_redirect) ?? null,
    iosWebRedirect: readUrl(body.ios_web_redirect) ?? null,
    displayId: given(custom_display_id) ? (custom_display_id as string) : undefined,
    isShortlink: is_shortlink === true,
    domain: given(domain) ? (domain as string) : undefined,
    storeListingIds: readStoreListingIds(body.store_listing_ids),
    channelName: readChannelName(body.custom_channel_names) ?? undefined,
  };
}

export function readEditInput(body: Body): EditInput {
  const fields = ['name', 'active', 'website', 'link_for_desktop_users', 'android_web_redirect', 'ios_web_redirect', 'custom_channel_names'];
  if (!fields.some((field) => body[field] !== undefined)) throw faults.nothingToUpdate();
  const { name, active } = body;
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) throw faults.nameEmpty();
  if (typeof name === 'string' && length(name) > MAX_NAME) throw faults.nameTooLong();
  if (active !== undefined && typeof active !== 'boolean') throw faults.activeBoolean();
  const website = readUrl(body.website);
  const desktop = readUrl(body.link_for_desktop_users);
  if (website !== undefined && desktop !== undefined && website !== desktop) throw faults.websiteTwice();
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

const defined = (input: Record<string, unknown>): EditInput => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

/** Undefined where not sent; null and the empty string clear. */
function readUrl(value: unknown): string | null | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return null;
  if (typeof value !== 'string' || length(value) > MAX_URL || !isWebUrl(value)) throw faults.invalidUrl();
  return value;
}

function readStoreListingIds(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((id): id is string => typeof id === 'string' && id.trim() !== '')) throw faults.storeListingIds();
  return [...new Set(value)];
}

/** The one channel name of the array; null for an empty array, undefined where not sent. */
function readChannelName(value: unknown): string | null | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((name): name is string => typeof name === 'string')) throw faults.channelNames();
  if (value.length > 1) throw faults.oneChannel();
  const name = value[0]?.trim();
  if (name === undefined) return null;
  if (name === '') throw faults.channelEmpty();
  if (length(name) >= MAX_CHANNEL_NAME) throw faults.channelTooLong();
  if (/[<>]|javascript:/i.test(name)) throw faults.channelHtml();
  if (RESERVED_CHANNELS.has(channelSlug(name))) throw faults.channelReserved(name);
  return name;
}
