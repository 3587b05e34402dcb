/** The queries behind web reporting: the page is compiled from the model of src/figures, the others are files. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';
import { pauseParams, type PauseRow } from '../figures/pauses';
import { compile, type Filter } from '../figures/compile';
import type { Quantity } from '../figures/model';
import { WEB_REPORT } from '../figures/web-report-model';
import type { QueryBudget, Statement } from '../reporting/query-budget';
import type { Filters, ReportInput } from './input';

const texts = { campaigns: readQuery('sql', 'web-report.campaigns') };
const spend: Statement = { name: 'web-report.spend', text: readQuery('clickhouse', 'web-report.spend') };

/** A row of the report, or its totals; an empty id is the bucket without a key. */
export interface SummedRow extends Row {
  readonly id: string;
  readonly is_total: 0 | 1;
  /** The campaign that the id means; 0 for none. */
  readonly campaign_id: number;
  readonly name: string;
  readonly main_source: string;
  readonly merged: 0 | 1;
  readonly visitors: number;
  readonly sessions: number;
  readonly page_views: number;
  readonly signups: number;
  readonly unique_signup_users: number;
  readonly signup_visitors: number;
  readonly purchases: number;
  readonly revenue: number;
  /** Names of events, and how often each occurred. */
  readonly event_names: readonly string[];
  readonly event_times: readonly number[];
  /** How many rows there are on all pages. */
  readonly total: number;
  readonly truncated: 0 | 1;
}

export interface CampaignRow extends Row {
  readonly id: number;
  readonly display_id: string;
  readonly deeplink: string | null;
  readonly is_shortlink: boolean;
  readonly own_domain: string | null;
  readonly paused: boolean;
}

/** The dimensions that filters of touches are on. */
const FILTERED: Readonly<Record<Exclude<keyof Filters, 'search'>, string>> = {
  channel: 'channel',
  source: 'source',
  utm_source: 'utm_source',
  utm_medium: 'medium',
  utm_campaign: 'utm_campaign',
  utm_id: 'utm_id',
  utm_content: 'utm_content',
  utm_term: 'utm_term',
  network_campaign_id: 'network_campaign',
  ad_set_id: 'ad_set',
};

function buildFilters({ filters, groupBy }: ReportInput): Filter[] {
  const all = Object.entries(FILTERED).map(([name, dimension]): Filter => {
    return { operator: 'equals', dimension, values: [filters[name as keyof typeof FILTERED]] };
  });
  const search: Filter = { operator: 'contains', dimension: groupBy, values: [filters.search] };
  return [...all, search].filter(({ values }) => values[0] !== '');
}

const metricsFor = ({ groupBy, events }: ReportInput, listsGoogle: boolean): Quantity[] =>
  [
    ...['visitors', 'sessions', 'page_views', 'signups', 'unique_signup_users', 'signup_visitors', 'purchases'],
    'revenue',
    ...(events.length > 0 ? ['event_names', 'event_times'] : []),
    // An ID may be that of a campaign.
    ...(groupBy === 'campaign' || groupBy === 'network_campaign' ? ['campaign_id'] : []),
    ...(groupBy === 'campaign' ? ['main_source', 'merged'] : []),
    ...(listsGoogle ? ['listed', 'omitted'] : []),
  ].map((name) => WEB_REPORT.metric(name) as Quantity);

/** What rows have of what is not asked for. */
const UNASKED = { campaign_id: 0, main_source: '', merged: 0, event_names: [], event_times: [] } as const;

export interface RowsOptions {
  readonly projectId: number;
  readonly pauses: readonly PauseRow[];
  /** Whether Google's synced campaigns are listed even without visitors. */
  readonly listsGoogle: boolean;
}

/** The statement of a page, with everything that it binds. */
export function pageStatement(input: ReportInput, { projectId, pauses, listsGoogle }: RowsOptions) {
  const { groupBy, sortField, sortOrder, page } = input;
  const { text, params } = compile(
    WEB_REPORT,
    {
      metrics: metricsFor(input, listsGoogle),
      dimensions: [groupBy],
      filters: buildFilters(input),
      orderBy: [{ name: sortField === 'name' ? `${groupBy}_name` : sortField, descending: sortOrder === 'descending' }],
      organic: true,
    },
    {
      place: 'adtrail',
      name: 'web-report',
      currency: '',
      hasPauses: pauses.length > 0,
      isFirstTouch: input.attribution === 'first_touch',
      isPage: true,
      withTotals: true,
    },
  );
  return {
    text,
    params: {
      ...params,
      ...pauseParams(pauses),
      project_id: projectId,
      from: input.from,
      to: input.to,
      events: input.events,
      channel: input.filters.channel,
      limit: page.limit,
      offset: page.offset,
    },
  };
}

/** The rows of the page in their order, and before them the totals; nothing at all where no event matches. */
export async function readRows(db: QueryBudget, input: ReportInput, options: RowsOptions): Promise<SummedRow[]> {
  const { text, params } = pageStatement(input, options);
  const rows = await db.rows<SummedRow & { omitted?: number }>({ name: 'web-report.page', text }, params);
  const truncated = (rows[0]?.omitted ?? 0) > 0 ? 1 : 0;
  return rows.map((row) => ({
    ...UNASKED,
    ...row,
    id: row[input.groupBy] as string,
    name: row[`${input.groupBy}_name`] as string,
    truncated,
  }));
}

export const readCampaigns = (db: Queryable, projectId: number, ids: readonly number[]) =>
  db.rows<CampaignRow>(texts.campaigns, [projectId, ids]);

/** What was spent with ad networks, by campaign, or by network with campaign 0. */
export interface SpendRow extends Row {
  readonly campaign_id: number;
  readonly network: string;
  readonly spend: number;
  readonly currencies: readonly string[];
  /** The spend of the campaigns that the filter is about. */
  readonly total_spend: number;
  readonly total_currencies: readonly string[];
}

/** Which campaigns' spend is in the total; empty for all. */
export interface SpendFilter {
  readonly networks: readonly string[];
  readonly network_campaign_id: string;
  readonly search: string;
}

/** The spend on the days of the report. */
export const readSpend = (db: QueryBudget, projectId: number, { from, to }: ReportInput, filter: SpendFilter) =>
  db.rows<SpendRow>(spend, { project_id: projectId, from, to, ...filter });
