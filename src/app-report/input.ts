/** Reads the parameters of app reporting into legal values (docs/contract/app-report.md). */
import { VIEWS } from '../figures/app-model';
import { readPage, type Page } from '../lib/page';
import { normaliseText, readList } from '../lib/text';
import { isDay } from '../lib/time';
import { errors } from './errors';

export const SORT_FIELDS = [
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
const SORT_ORDERS = ['descending', 'ascending'] as const;
const PLATFORMS = ['ios', 'android'] as const;
const SWITCH = ['true', 'false'] as const;

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

/** A repeated parameter counts as first sent; one sent empty counts as not sent; a name wins over its alias. */
export function readReportInput(query: URLSearchParams): ReportInput {
  const get = (name: string) => query.get(name) || undefined;
  const page = readPage(get('page'), get('limit'), 10, 100);
  const day = (...names: string[]) => {
    const name = names.find((one) => get(one) !== undefined);
    const value = name && get(name);
    if (name && value && !isDay(value)) throw errors.invalidDate(name, value);
    return value || undefined;
  };
  const readChoice = <T extends string>(name: string, allowed: readonly T[]): T | undefined => {
    const value = get(name);
    if (value !== undefined && !(allowed as readonly string[]).includes(value))
      throw errors.notAmong(name, value, allowed);
    return value as T | undefined;
  };
  const number = (name: string) => {
    const value = get(name);
    if (value !== undefined && (!/^\d{1,9}$/.test(value) || Number(value) < 1)) throw errors.notANumber(name, value);
    return value === undefined ? undefined : Number(value);
  };
  const names = (name: string) => readList(get(name) ?? '');

  const [from, to] = [day('from', 'start_date'), day('to', 'end_date')];
  if (from !== undefined && to !== undefined && from > to) throw errors.fromAfterTo(from, to);
  const active = readChoice('active', SWITCH);
  return {
    from,
    to,
    active: active === undefined ? null : active === 'true',
    network: normaliseText(get('network') ?? '').toLowerCase() || undefined,
    metaAccountId: number('meta_account_id') ?? null,
    platform: (readChoice('platform', PLATFORMS)?.toUpperCase() ?? '') as ReportInput['platform'],
    search: normaliseText(get('search') ?? '') || undefined,
    view: readChoice('view', VIEWS) ?? 'user_acquisition',
    sortField: readChoice('sort_field', SORT_FIELDS) ?? 'installs',
    ascending: readChoice('sort_order', SORT_ORDERS) === 'ascending',
    page,
    columns: {
      events: names('events'),
      payments: names('payment_events'),
      costs: names('cost_per_event'),
      unique: names('unique_user_events'),
    },
    activeUsers: Math.min(number('active_users') ?? 7, MAX_ACTIVE_DAYS),
  };
}
