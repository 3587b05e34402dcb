/** The queries behind web reporting, one function per query of sql/queries and clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery, readStepwiseQuery, type Files } from '../db/sql';
import type { QueryBudget, Statement } from '../reporting/query-budget';
import type { Grouping, ReportInput } from './input';

const sql = (name: string) => readQuery('sql', `web-report.${name}`);
const texts = { campaigns: sql('campaigns'), pauses: sql('pauses') };
const statement = (file: string): Statement => {
  const name = `web-report.${file}`;
  return { name, text: readQuery('clickhouse', name) };
};
const spend = statement('spend');
const spendSums = statement('spend-sums');

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

export interface PauseRow extends Row {
  readonly campaign_id: number;
  /** The first millisecond that does not count, and the first that counts again; null while the pause lasts. */
  readonly from_ms: number;
  readonly until_ms: number | null;
}

export interface CampaignRow extends Row {
  readonly id: number;
  readonly display_id: string;
  readonly deeplink: string | null;
  readonly is_shortlink: boolean;
  readonly own_domain: string | null;
  readonly paused: boolean;
}

const NO_KEY: Readonly<Record<Grouping, string>> = {
  campaign: '(no campaign ID)',
  channel: '(no channel)',
  source: '(no source)',
  network_campaign: '(no ad network campaign)',
  ad_set: '(no ad set)',
  ad: '(no ad)',
};
/** How many of Google's synced campaigns are listed. */
const MAX_LISTED = 1_000;

/** Pauses as parameters: one place per campaign, with the beginnings and ends of its pauses. */
export function pauseParams(pauses: readonly PauseRow[]) {
  const campaigns = [...new Set(pauses.map((pause) => pause.campaign_id))];
  const of = (id: number) => pauses.filter((pause) => pause.campaign_id === id);
  return {
    paused_campaigns: campaigns,
    pause_begins: campaigns.map((id) => of(id).map((pause) => pause.from_ms)),
    pause_ends: campaigns.map((id) => of(id).map((pause) => pause.until_ms ?? Number.MAX_SAFE_INTEGER)),
  };
}

/** What the statement of a page depends on beside its parameters. */
interface PageVariant {
  readonly byCampaign: boolean;
  /** Whether an ID may be that of a campaign. */
  readonly namesCampaigns: boolean;
  readonly withPauses: boolean;
  readonly withEvents: boolean;
  readonly listsGoogle: boolean;
}

/** The statement of a page: each step is one file, chosen here. */
function pageStatement({ byCampaign, namesCampaigns, withPauses, withEvents, listsGoogle }: PageVariant): Statement {
  const steps: Files = {
    campaign_keys: namesCampaigns || withPauses ? 'step-campaign-keys' : 'step-no-campaign-keys',
    touches: 'step-touches',
    ...(withEvents
      ? {
          without_events: 'step-element-sums',
          event_sums: 'step-event-sums',
          element_sums: 'step-with-events',
        }
      : { element_sums: 'step-element-sums' }),
    conversion_sums: 'step-conversion-sums',
    by_source: 'step-by-source',
    ...(listsGoogle
      ? {
          with_visitors: 'step-summed',
          google_campaigns: 'step-google-campaigns',
          summed: 'step-summed-or-listed',
        }
      : { summed: 'step-summed' }),
    named: 'step-named',
  };
  const expressions: Files = {
    touch_list: 'touch-list',
    row_list: 'row-list',
    ...(byCampaign ? { source_list: 'source-list', source_of: 'source-of' } : { source_of: 'no-source' }),
    ...(withPauses
      ? { paused_touch_list: 'paused-touch-list', pauses_list: 'pauses-list', row_of: 'row-of-with-pauses' }
      : { row_of: 'row-of' }),
  };
  const name = 'web-report.page';
  return { name, text: readStepwiseQuery('clickhouse', name, ours(steps), ours(expressions)) };
}
const ours = (steps: Files): Files =>
  Object.fromEntries(Object.entries(steps).map(([name, file]) => [name, `web-report.${file}`]));

/** The statements of all variants, read at start. */
const BOTH = [false, true];
const GROUPINGS = [
  { byCampaign: true, namesCampaigns: true },
  { byCampaign: false, namesCampaigns: true },
  { byCampaign: false, namesCampaigns: false },
];
const variants = GROUPINGS.flatMap((grouping) =>
  BOTH.flatMap((withPauses) =>
    BOTH.flatMap((withEvents) => BOTH.map((listsGoogle) => ({ ...grouping, withPauses, withEvents, listsGoogle }))),
  ),
);
const pages = new Map(variants.map((variant) => [JSON.stringify(variant), pageStatement(variant)]));

export interface RowsOptions {
  readonly projectId: number;
  readonly pauses: readonly PauseRow[];
  /** Whether Google's synced campaigns are listed even without visitors. */
  readonly listsGoogle: boolean;
}

/** The rows of the page in their order, and before them the totals; nothing at all where no event matches. */
export function readRows(
  db: QueryBudget,
  input: ReportInput,
  { projectId, pauses, listsGoogle }: RowsOptions,
): Promise<SummedRow[]> {
  const { offset, limit } = input.page;
  const variant = {
    byCampaign: input.groupBy === 'campaign',
    namesCampaigns: input.groupBy === 'campaign' || input.groupBy === 'network_campaign',
    withPauses: pauses.length > 0,
    withEvents: input.events.length > 0,
    listsGoogle,
  };
  return db.rows<SummedRow>(pages.get(JSON.stringify(variant)) as Statement, {
    ...input.filters,
    ...pauseParams(pauses),
    project_id: projectId,
    from: input.from,
    to: input.to,
    group_by: input.groupBy,
    attribution: input.attribution,
    events: input.events,
    sort_field: input.sortField,
    sort_order: input.sortOrder,
    no_key: NO_KEY[input.groupBy],
    max_listed: MAX_LISTED,
    first: offset + 1,
    last: offset + limit,
  });
}

export const readPauses = (db: Queryable, projectId: number) => db.rows<PauseRow>(texts.pauses, [projectId]);
export const readCampaigns = (db: Queryable, projectId: number, ids: readonly number[]) =>
  db.rows<CampaignRow>(texts.campaigns, [projectId, ids]);

export interface SpendRow extends Row {
  readonly campaign_id: number;
  readonly spend: number | null;
}

/** The spend of campaigns on the days of the report; none where nothing was spent. */
export const readSpend = (db: QueryBudget, projectId: number, { from, to }: ReportInput, ids: readonly number[]) =>
  db.rows<SpendRow>(spend, { project_id: projectId, from, to, campaign_ids: ids });

export interface SpendSumRow extends Row {
  readonly network: string;
  readonly spend: number;
  readonly currencies: readonly string[];
}

/** Which campaigns' spend is summed; empty for all. */
export interface SpendFilter {
  readonly networks: readonly string[];
  readonly network_campaign_id: string;
  readonly search: string;
}

/** The spend on the days of the report by ad network. */
export const readSpendSums = (db: QueryBudget, projectId: number, { from, to }: ReportInput, filter: SpendFilter) =>
  db.rows<SpendSumRow>(spendSums, { project_id: projectId, from, to, ...filter });
