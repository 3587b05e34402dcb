/** Reads the parameters of web reporting into legal values (docs/contract/web-report.md). */
import { toPage, type Page } from '../lib/page';
import { choice, Type, withDefault } from '../lib/schema';
import { normaliseText, readList } from '../lib/text';
import { dayIn, daysInRange, isDay } from '../lib/time';
import { CHANNELS } from '../web-channels/classify';
import { sourceOfWord, type Network } from '../web-channels/sources';
import { pageParameters, queryParameter, readAs, type QueryValues } from '../openapi/operation';
import { errors } from './errors';

export const GROUPINGS = ['campaign', 'channel', 'source', 'network_campaign', 'ad_set', 'ad'] as const;
export const MODELS = ['last_touch', 'first_touch'] as const;
const SORT_FIELDS = [
  'visitors',
  'page_views',
  'sessions',
  'signups',
  'unique_signup_users',
  'purchases',
  'revenue',
  'name',
] as const;
const SORT_ORDERS = ['ascending', 'descending'] as const;
export const NETWORKS = ['meta', 'google'] as const satisfies readonly Network[];
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_id', 'utm_content', 'utm_term'] as const;

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
const MAX_PAGE = 10_000;
const MAX_LIMIT = 100;
const MAX_DAYS = 366;
const MAX_EVENTS = 50;
const MAX_EVENT_NAME = 120;

export const isNetworkGrouping = (groupBy: Grouping) =>
  groupBy === 'network_campaign' || groupBy === 'ad_set' || groupBy === 'ad';

const text = Type.String();
const textParameter = <const Name extends string>(name: Name, description: string, example?: string) =>
  queryParameter(name, description, withDefault(text, ''), example);
/** Days are checked together, with their aliases. */
const dayParameter = <const Name extends string>(name: Name, description: string) =>
  readAs(queryParameter(name, description, Type.String({ format: 'date' })), (sent = '') => sent);
/** One of some values, of which one holds unless another is sent. */
const choiceParameter = <const Name extends string, const T extends string>(
  name: Name,
  description: string,
  values: readonly T[],
  byDefault: T,
) =>
  readAs(
    queryParameter(name, description, choice(values, { type: 'string', default: byDefault }), byDefault),
    (sent = byDefault) => readChoice(name, sent, values),
  );
const [pageParameter, limitParameter] = pageParameters({ default: 10, maximum: MAX_LIMIT }, { maximum: MAX_PAGE });

export const reportParameters = [
  choiceParameter('group_by', 'What a row is.', GROUPINGS, 'campaign'),
  // Refused or required by the grouping, before it is looked at.
  readAs(
    queryParameter(
      'network',
      'Required with `network_campaign`, `ad_set` and `ad`, refused with the other groupings.',
      choice(NETWORKS, { type: 'string' }),
    ),
    (sent = '') => sent,
  ),
  textParameter('network_campaign_id', 'Rows under this campaign of the ad network; with network groupings only.'),
  textParameter('ad_set_id', 'Rows under this ad set or ad group; with network groupings only.'),
  choiceParameter('attribution', 'Which touch of a visitor is credited.', MODELS, 'last_touch'),
  choiceParameter('sort_field', 'What rows are sorted by.', SORT_FIELDS, 'visitors'),
  choiceParameter('sort_order', 'Which way.', SORT_ORDERS, 'descending'),
  textParameter('channel', `Credited channel: ${CHANNELS.join(', ')}.`),
  textParameter('source', 'Credited source, for example `facebook`.'),
  ...UTM.map((name) => textParameter(name, `Credited \`${name}\`, exactly.`)),
  textParameter('search', 'Part of the `id` of a row, in any case.'),
  dayParameter('from', 'First day, in Asia/Kolkata; by default the day on which the project was created.'),
  dayParameter('to', 'Last day; by default today. An explicit range spans at most 366 days.'),
  dayParameter('start_date', 'Alias of `from`.'),
  dayParameter('end_date', 'Alias of `to`.'),
  readAs(pageParameter, (sent) => {
    const page = pageParameter.read(sent);
    if (page > MAX_PAGE) throw errors.invalidPage(sent ?? '', MAX_PAGE);
    return page;
  }),
  limitParameter,
  readAs(
    queryParameter(
      'events',
      `Names of custom events to count, separated by commas; at most ${MAX_EVENTS}.`,
      text,
      'add_to_cart',
    ),
    (sent = '') => readEventNames(sent),
  ),
] as const;

type Query = QueryValues<typeof reportParameters>;

/** @throws ApiError 400 for a parameter that is sent twice. */
export function refuseRepeated(query: URLSearchParams): void {
  const names = new Set<string>();
  for (const name of query.keys()) {
    if (names.has(name)) throw errors.repeated(name);
    names.add(name);
  }
}

/**
 * The report that the parameters ask for, of a project created at `createdAt`.
 *
 * @throws ApiError 400 or 422, as docs/contract/ lists them.
 */
export function toReportInput(query: Query, createdAt: Date, now: number): ReportInput {
  const { group_by: groupBy, attribution, sort_field: sortField, sort_order: sortOrder, events } = query;
  const network = readNetwork(query);
  const filters = readFilters(query, network);
  const [from, to] = [oneName(query, 'from', 'start_date'), oneName(query, 'to', 'end_date')];
  return {
    groupBy,
    network,
    attribution,
    sortField,
    sortOrder,
    filters,
    ...readRange(from, to, createdAt, now),
    page: toPage(query),
    events,
  };
}

function readChoice<const T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((one) => one === text);
  if (value === undefined) throw errors.unknownValue(name, text, values);
  return value;
}

function readNetwork(query: Query): Network | null {
  const { group_by: groupBy, network } = query;
  if (!isNetworkGrouping(groupBy)) {
    const refused = (['network', 'network_campaign_id', 'ad_set_id'] as const).find((name) => query[name] !== '');
    if (refused) throw errors.networkRefused(refused, groupBy);
    return null;
  }
  if (network === '') throw errors.networkRequired(groupBy);
  return readChoice('network', network, NETWORKS);
}

/** Under a network only touches of its channel count. */
function readFilters(query: Query, network: Network | null): Filters {
  const channel = normaliseText(query.channel).toLowerCase();
  const source = normaliseText(query.source).toLowerCase();
  if (network && channel !== network && (NETWORKS as readonly string[]).includes(channel))
    throw errors.otherNetwork('channel', channel, network);
  if (network && belongsElsewhere(source, network)) throw errors.otherNetwork('source', source, network);
  const utm = Object.fromEntries(UTM.map((name) => [name, normaliseText(query[name])])) as Record<
    (typeof UTM)[number],
    string
  >;
  return {
    ...utm,
    channel: channel || (network ?? ''),
    source,
    network_campaign_id: query.network_campaign_id,
    ad_set_id: query.ad_set_id,
    search: normaliseText(query.search),
  };
}

/** Whether a source is known to be where other networks show their ads. */
function belongsElsewhere(source: string, network: Network): boolean {
  const known = source === '' ? undefined : sourceOfWord(source);
  if (!known || known.network === network) return false;
  return known.network !== undefined || ['search', 'social', 'video', 'display', 'affiliate'].includes(known.kind);
}

/** A date by its name or its alias. */
function oneName<const Name extends string>(query: Readonly<Record<Name, string>>, name: Name, alias: Name): string {
  const [text, other] = [query[name], query[alias]];
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

function readEventNames(text: string): string[] {
  const names = readList(text);
  if (names.length > MAX_EVENTS) throw errors.tooManyEvents(MAX_EVENTS);
  if (names.some((name) => [...name].length > MAX_EVENT_NAME)) throw errors.eventTooLong(MAX_EVENT_NAME);
  return names;
}
