/** Reads the parameters of web reporting into legal values (docs/contract/web-report.md). */
import { readPage, type Page } from '../lib/page';
import { normaliseText, readList } from '../lib/text';
import { dayIn, daysInRange, isDay } from '../lib/time';
import { sourceOfWord, type Network } from '../web-channels/sources';
import { errors } from './errors';

export const GROUPINGS = ['campaign', 'channel', 'source', 'network_campaign', 'ad_set', 'ad'] as const;
export const MODELS = ['last_touch', 'first_touch'] as const;
export const SORT_FIELDS = [
  'visitors',
  'page_views',
  'sessions',
  'signups',
  'unique_signup_users',
  'purchases',
  'revenue',
  'name',
] as const;
export const SORT_ORDERS = ['ascending', 'descending'] as const;
export const NETWORKS = ['meta', 'google'] as const satisfies readonly Network[];
export const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_id', 'utm_content', 'utm_term'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** Filters of the credited touch; empty for none. */
export type Filters = Readonly<
  Record<'channel' | 'source' | (typeof UTM)[number] | 'network_campaign_id' | 'ad_set_id' | 'search', string>
>;

export interface ReportInput {
  readonly from: string;
  readonly to: string;
  readonly groupBy: Grouping;
  readonly network: Network | null;
  readonly attribution: (typeof MODELS)[number];
  readonly filters: Filters;
  readonly events: readonly string[];
  readonly sortField: (typeof SORT_FIELDS)[number];
  readonly sortOrder: (typeof SORT_ORDERS)[number];
  readonly page: Page;
}

/** Web reports always count the days of this zone, whatever the project's own is (docs/contract/web-report.md). */
const TIMEZONE = 'Asia/Kolkata';
export const MAX_PAGE = 10_000;
export const MAX_LIMIT = 100;
const MAX_DAYS = 366;
export const MAX_EVENTS = 50;
const MAX_EVENT_NAME = 120;

export const isNetworkGrouping = (groupBy: Grouping) =>
  groupBy === 'network_campaign' || groupBy === 'ad_set' || groupBy === 'ad';

type Get = (name: string) => string;

/**
 * The report that the parameters ask for, of a project created at `createdAt`; one sent empty counts as not sent.
 *
 * @throws ApiError 400 or 422, as docs/contract/ lists them.
 */
export function readReportInput(query: URLSearchParams, createdAt: Date, now: number): ReportInput {
  const names = new Set<string>();
  for (const name of query.keys()) {
    if (names.has(name)) throw errors.repeated(name);
    names.add(name);
  }
  const get: Get = (name) => query.get(name) ?? '';
  const groupBy = readChoice(get, 'group_by', GROUPINGS, 'campaign');
  const network = readNetwork(get, groupBy);
  const attribution = readChoice(get, 'attribution', MODELS, 'last_touch');
  const sortField = readChoice(get, 'sort_field', SORT_FIELDS, 'visitors');
  const sortOrder = readChoice(get, 'sort_order', SORT_ORDERS, 'descending');
  const filters = readFilters(get, network);
  const from = oneName(get, 'from', 'start_date');
  const to = oneName(get, 'to', 'end_date');
  return {
    groupBy,
    network,
    attribution,
    sortField,
    sortOrder,
    filters,
    ...readRange(from, to, createdAt, now),
    page: readReportPage(get),
    events: readEventNames(get('events')),
  };
}

function readChoice<const T extends string>(get: Get, name: string, values: readonly T[], otherwise: T): T {
  const text = get(name);
  if (text === '') return otherwise;
  const value = values.find((one) => one === text);
  if (value === undefined) throw errors.unknownValue(name, text, values);
  return value;
}

function readNetwork(get: Get, groupBy: Grouping): Network | null {
  if (!isNetworkGrouping(groupBy)) {
    const refused = ['network', 'network_campaign_id', 'ad_set_id'].find((name) => get(name) !== '');
    if (refused) throw errors.networkRefused(refused, groupBy);
    return null;
  }
  if (get('network') === '') throw errors.networkRequired(groupBy);
  return readChoice(get, 'network', NETWORKS, 'meta');
}

/** Under a network only touches of its channel count. */
function readFilters(get: Get, network: Network | null): Filters {
  const channel = normaliseText(get('channel')).toLowerCase();
  const source = normaliseText(get('source')).toLowerCase();
  if (network && channel !== network && (NETWORKS as readonly string[]).includes(channel))
    throw errors.otherNetwork('channel', channel, network);
  if (network && belongsElsewhere(source, network)) throw errors.otherNetwork('source', source, network);
  const utm = Object.fromEntries(UTM.map((name) => [name, normaliseText(get(name))])) as Record<
    (typeof UTM)[number],
    string
  >;
  return {
    ...utm,
    channel: channel || (network ?? ''),
    source,
    network_campaign_id: get('network_campaign_id'),
    ad_set_id: get('ad_set_id'),
    search: normaliseText(get('search')),
  };
}

/** Whether a source is known to be where other networks show their ads. */
function belongsElsewhere(source: string, network: Network): boolean {
  const known = source === '' ? undefined : sourceOfWord(source);
  if (!known || known.network === network) return false;
  return known.network !== undefined || ['search', 'social', 'video', 'display', 'affiliate'].includes(known.kind);
}

/** A date by its name or its alias. */
function oneName(get: Get, name: string, alias: string): string {
  const [text, other] = [get(name), get(alias)];
  if (text !== '' && other !== '') throw errors.twoNames(name, alias);
  const date = text || other;
  if (date !== '' && !isDay(date)) throw errors.invalidDate(text ? name : alias, date);
  return date;
}

function readRange(from: string, to: string, createdAt: Date, now: number): { from: string; to: string } {
  const today = dayIn(TIMEZONE, now);
  // A project may be created by a clock that is fast.
  const created = dayIn(TIMEZONE, Math.min(createdAt.getTime(), now));
  if (to !== '' && to < created) throw errors.beforeProject(to, created);
  const range = { from: from || created, to: to === '' || to > today ? today : to };
  if (range.from > range.to) throw errors.fromAfterTo(range.from, range.to);
  if ((from !== '' || to !== '') && daysInRange(range.from, range.to) > MAX_DAYS) throw errors.rangeTooLong(MAX_DAYS);
  return range;
}

function readReportPage(get: Get): Page {
  const page = readPage(get('page'), get('limit'), 10, MAX_LIMIT);
  if (page.page > MAX_PAGE) throw errors.invalidPage(get('page'), MAX_PAGE);
  return page;
}

function readEventNames(text: string): string[] {
  const names = readList(text);
  if (names.length > MAX_EVENTS) throw errors.tooManyEvents(MAX_EVENTS);
  if (names.some((name) => [...name].length > MAX_EVENT_NAME)) throw errors.eventTooLong(MAX_EVENT_NAME);
  return names;
}
