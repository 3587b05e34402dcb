/** Reads the parameters of app reporting into legal values (docs/contract/app-report.md). */
import { VIEWS } from '../figures/app-model';
import { toPage, type Page } from '../lib/page';
import { choice, Type } from '../lib/schema';
import { normaliseText, readList } from '../lib/text';
import { isDay } from '../lib/time';
import { pageParameters, queryParameter, readAs, type QueryValues } from '../openapi/operation';
import { errors } from './errors';

const SORT_FIELDS = [
  'clicks',
  'installs',
  'signups',
  'revenue',
  'spend',
  'created_at',
  'uninstalls',
  'conversion',
  'suspicious_installs',
  'roas',
] as const;

export type View = (typeof VIEWS)[number];
export type SortField = (typeof SORT_FIELDS)[number];

export interface ReportInput {
  /** Days in the project's zone, both inclusive; undefined where that side is open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly active: boolean | null;
  /** In lower case. */
  readonly network: string | undefined;
  readonly metaAccountId: number | null;
  readonly platform: 'IOS' | 'ANDROID' | '';
  readonly search: string | undefined;
  readonly view: View;
  readonly sortField: SortField;
  readonly ascending: boolean;
  readonly page: Page;
  readonly columns: EventColumns;
  /** Days. */
  readonly activeUsers: number;
}

/** Requests with the same text ask for the same campaigns in the same order, on any page. */
export const orderParameters = ({
  from,
  to,
  active,
  network,
  metaAccountId,
  platform,
  search,
  view,
  sortField,
  ascending,
  page,
}: ReportInput): string =>
  JSON.stringify([from, to, active, network, metaAccountId, platform, search, view, sortField, ascending, page.limit]);

/** The names that the four event parameters ask for, as they were sent. */
export interface EventColumns {
  readonly events: readonly string[];
  readonly payments: readonly string[];
  readonly costs: readonly string[];
  readonly unique: readonly string[];
}

/** Further back than this there is nothing. */
const MAX_ACTIVE_DAYS = 36_500;

const text = Type.String();
/** One of some texts. */
const choiceParameter = <const Name extends string, const T extends string, const D extends T | undefined = undefined>(
  name: Name,
  description: string,
  values: readonly T[],
  byDefault?: D,
) =>
  readAs(
    queryParameter(name, description, choice(values, { type: 'string', ...(byDefault && { default: byDefault }) })),
    (sent = byDefault): T | D => {
      const value = values.find((one) => one === sent);
      if (sent !== undefined && !value) throw errors.notAmong(name, sent, values);
      return value as T | D;
    },
  );

/** Days are checked together: what is sent as an alias beside the name itself counts for nothing. */
const dayParameter = <const Name extends string>(name: Name, description: string, example?: string) =>
  readAs(queryParameter(name, description, Type.String({ format: 'date' }), example), (sent) => sent);

const numberParameter = <const Name extends string, D extends number | undefined = undefined>(
  name: Name,
  description: string,
  byDefault?: D,
) =>
  readAs(
    queryParameter(name, description, Type.Integer({ minimum: 1, ...(byDefault && { default: byDefault }) })),
    (sent): number | D => {
      if (sent !== undefined && (!/^\d{1,9}$/.test(sent) || Number(sent) < 1)) throw errors.notANumber(name, sent);
      return sent === undefined ? (byDefault as D) : Number(sent);
    },
  );

const namesParameter = <const Name extends string>(name: Name, what: string, example?: string) =>
  readAs(
    queryParameter(name, `Comma-separated ${what}. Unknown ones are dropped silently.`, text, example),
    (sent = '') => readList(sent),
  );

export const reportParameters = [
  ...pageParameters({ default: 10, maximum: 100 }),
  dayParameter('from', "First day, in the project's time zone.", '2026-03-01'),
  dayParameter('to', 'Last day.', '2026-03-31'),
  dayParameter('start_date', 'The same as `from`, which wins.'),
  dayParameter('end_date', 'The same as `to`, which wins.'),
  choiceParameter('active', 'Campaigns by whether they are active.', ['true', 'false']),
  queryParameter('network', '`ad_network_code` of the campaigns.', text, 'meta'),
  numberParameter('meta_account_id', 'ID of one Meta account.'),
  choiceParameter('platform', 'Only what belongs to one platform.', ['ios', 'android']),
  queryParameter(
    'search',
    'Part of name, display ID, domain, deeplink or tracking link, in any case; or a link.',
    text,
  ),
  choiceParameter('view', '`retargeting` reports reinstalls and re-engagements.', VIEWS, 'user_acquisition'),
  choiceParameter('sort_field', 'What to sort by; ties by ID, missing values last.', SORT_FIELDS, 'installs'),
  choiceParameter('sort_order', 'The direction.', ['descending', 'ascending'], 'descending'),
  namesParameter('events', 'event names to count', 'level_up'),
  namesParameter('payment_events', 'revenue types to count', 'DEFAULT'),
  namesParameter('cost_per_event', 'names to divide the spend by'),
  namesParameter('unique_user_events', 'event names of which users are counted'),
  numberParameter('active_users', 'Days of the window of active users.', 7),
] as const;

/** The first of these names that is sent, as a day. @throws ApiError 400 for what is none. */
function readDay<const Name extends string>(query: Readonly<Record<Name, string | undefined>>, ...names: Name[]) {
  const name = names.find((one) => query[one] !== undefined);
  const day = name && query[name];
  if (name && day && !isDay(day)) throw errors.invalidDate(name, day);
  return day;
}

/** A name wins over its alias. @throws ApiError 400 for days that are none, or in the wrong order. */
export function toReportInput(query: QueryValues<typeof reportParameters>): ReportInput {
  const [from, to] = [readDay(query, 'from', 'start_date'), readDay(query, 'to', 'end_date')];
  if (from !== undefined && to !== undefined && from > to) throw errors.fromAfterTo(from, to);
  return {
    from,
    to,
    active: query.active === undefined ? null : query.active === 'true',
    network: normaliseText(query.network ?? '').toLowerCase() || undefined,
    metaAccountId: query.meta_account_id ?? null,
    platform: (query.platform?.toUpperCase() ?? '') as ReportInput['platform'],
    search: normaliseText(query.search ?? '') || undefined,
    view: query.view,
    sortField: query.sort_field,
    ascending: query.sort_order === 'ascending',
    page: toPage(query),
    columns: {
      events: query.events,
      payments: query.payment_events,
      costs: query.cost_per_event,
      unique: query.unique_user_events,
    },
    activeUsers: Math.min(query.active_users, MAX_ACTIVE_DAYS),
  };
}
