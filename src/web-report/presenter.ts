/** From sums to the rows of the answer (docs/contract/web-report.md). */
import { Decimal, roundHalfUp } from '../lib/decimal';
import { presentPagination, type Page } from '../lib/page';
import type { Grouping, ReportInput } from './input';
import type { SummedRow } from './queries';

/** What a row shows of the campaign that it is. */
export interface RowCampaign {
  readonly link: string | null;
  readonly paused: boolean;
}

export interface Metrics {
  readonly visitors: number;
  readonly sessions: number;
  readonly page_views: number;
  readonly signups: number;
  readonly unique_signup_users: number | null;
  readonly conversion: number;
  readonly purchases: number;
  readonly revenue: number;
  readonly spend: number | null;
  readonly roas: number | null;
  readonly cost_per_visitor: number | null;
  readonly custom_events: Readonly<Record<string, { readonly count: number }>>;
}

export const NOTHING: Pick<
  SummedRow,
  | 'visitors'
  | 'sessions'
  | 'page_views'
  | 'signups'
  | 'unique_signup_users'
  | 'signup_visitors'
  | 'purchases'
  | 'revenue'
  | 'event_names'
  | 'event_times'
> = {
  visitors: 0,
  sessions: 0,
  page_views: 0,
  signups: 0,
  unique_signup_users: 0,
  signup_visitors: 0,
  purchases: 0,
  revenue: 0,
  event_names: [],
  event_times: [],
};

/** What sums of binary fractions have beyond these decimals is noise: 0.1 + 0.2 is 0.3. */
const EXACT_DECIMALS = 10;

const round = (value: number, decimals: number) =>
  roundHalfUp(new Decimal(value.toFixed(EXACT_DECIMALS)), decimals).toNumber();

const ratio = (value: number, by: number | null, decimals: number) =>
  by === null || by === 0 ? null : round(value / by, decimals);

/** The metrics of a row or of the totals. */
export function presentMetrics(row: typeof NOTHING, spend: number | null, events: readonly string[]): Metrics {
  return {
    visitors: row.visitors,
    sessions: row.sessions,
    page_views: row.page_views,
    signups: row.signups,
    unique_signup_users: row.unique_signup_users,
    conversion: ratio(100 * row.signup_visitors, row.visitors, 2) ?? 0,
    purchases: row.purchases,
    revenue: round(row.revenue, 2),
    spend: spend === null ? null : round(spend, 2),
    roas: ratio(row.revenue, spend, 4),
    cost_per_visitor: spend === null ? null : ratio(spend, row.visitors, 4),
    custom_events: Object.fromEntries(
      events.map((name) => [name, { count: row.event_times[row.event_names.indexOf(name)] ?? 0 }]),
    ),
  };
}

const CHANNEL_OF: Partial<Record<Grouping, (row: SummedRow, input: ReportInput) => string | null>> = {
  channel: (row) => row.id,
  network_campaign: (_, input) => input.network,
  ad_set: (_, input) => input.network,
  ad: (_, input) => input.network,
};

/** One row of the answer. */
export function presentRow(
  row: SummedRow,
  input: ReportInput,
  campaign: RowCampaign | undefined,
  spend: number | null,
) {
  const isCampaign = input.groupBy === 'campaign';
  return {
    id: row.id === '' ? null : row.id,
    name: row.name,
    channel: CHANNEL_OF[input.groupBy]?.(row, input) ?? null,
    source: isCampaign && row.main_source !== '' ? row.main_source : null,
    tracking_link: campaign?.link ?? null,
    paused: isCampaign ? (campaign?.paused ?? false) : null,
    merged: isCampaign ? row.merged === 1 : null,
    ...presentMetrics(row, spend, input.events),
  };
}

export const presentWebPagination = (total: number, page: Page, truncated: boolean) => ({
  ...presentPagination(total, page),
  truncated,
});
