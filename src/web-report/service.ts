/** Puts a web report together: the rows of a page, what PostgreSQL knows of their campaigns, and what was spent. */
import type { Postgres } from '../db/postgres';
import type { Project } from '../configuration/config-snapshot';
import { trackingLink } from '../configuration/campaign-url';
import type { QueryBudget } from '../reporting/query-budget';
import type { ReportRunner } from '../reporting/report-runner';
import type { ReportInput } from './input';
import { readPauses } from '../figures/pauses';
import * as queries from './queries';
import { presentMetrics, NOTHING, presentRow, presentWebPagination, type RowCampaign } from './presenter';

export interface ReportOptions {
  readonly postgres: Postgres;
  readonly reports: ReportRunner;
  /** Brings the derived tables up to what has been acknowledged. */
  readonly catchUp: () => Promise<void>;
  /** @throws UnavailableError when the derived tables lack something of the project. */
  readonly mustBeComplete: (projectId: number) => Promise<void>;
  /** Brings the campaigns in ClickHouse up to date. */
  readonly syncConfiguration: () => Promise<void>;
}

/** The `data` of the answer. @throws ApiError 503 as `Reports`, UnavailableError when an engine does not answer. */
export async function webReport(
  { postgres, reports, catchUp, mustBeComplete, syncConfiguration }: ReportOptions,
  project: Project,
  input: ReportInput,
) {
  // Before the report takes its place in the queue, so that nothing else waits for the derivation.
  await Promise.all([catchUp(), syncConfiguration()]);
  await mustBeComplete(project.id);
  return reports.compute('web-report', (budget) => readPage(postgres, budget, project, input));
}

async function readPage(postgres: Postgres, budget: QueryBudget, project: Project, input: ReportInput) {
  const pauses = await readPauses(postgres, project.id);
  const listsGoogle = input.groupBy === 'campaign' && input.filters.channel === 'google' && !filtersTouches(input);
  const [summed, spend] = await Promise.all([
    queries.readRows(budget, input, { projectId: project.id, pauses, listsGoogle }),
    readSpend(budget, project.id, input),
  ]);
  const rows = summed.filter((row) => !row.is_total);
  const totals = summed.find((row) => row.is_total);
  const campaigns = await readRowCampaigns(postgres, project, rows);
  return {
    campaigns: rows.map((row) => presentRow(row, input, campaigns.get(row.campaign_id), spend.ofRow(row))),
    totals: presentMetrics(totals ?? NOTHING, spend.total, input.events),
    pagination: presentWebPagination(summed[0]?.total ?? 0, input.page, summed[0]?.truncated === 1),
    attribution: input.attribution,
    group_by: input.groupBy,
    network: input.network,
    from: input.from,
    to: input.to,
  };
}

/** Whether only part of a campaign's touches count, so that its spend matches no row (docs/contract/web-report.md). */
const filtersTouches = ({ filters }: ReportInput) =>
  Object.entries(filters).some(([name, value]) => value !== '' && (name === 'source' || name.startsWith('utm_')));

async function readRowCampaigns(
  postgres: Postgres,
  project: Project,
  rows: readonly queries.SummedRow[],
): Promise<Map<number, RowCampaign>> {
  const ids = rows.map((row) => row.campaign_id).filter((id) => id !== 0);
  const found = ids.length > 0 ? await queries.readCampaigns(postgres, project.id, ids) : [];
  const domain = project.primaryDomain?.name ?? null;
  return new Map(
    found.map((row) => {
      const link = trackingLink({
        domain: row.own_domain ?? domain,
        displayId: row.display_id,
        deeplink: row.deeplink,
        isShortlink: row.is_shortlink,
      });
      return [row.id, { link: link === '' ? null : link, paused: row.paused }];
    }),
  );
}

interface Spend {
  readonly ofRow: (row: queries.SummedRow) => number | null;
  /** What campaigns that match the filters spent, with a row or without; null for none, or in several currencies. */
  readonly total: number | null;
}

/** What was spent for each row, and in all: null where nothing was, or in several currencies. */
async function readSpend(budget: QueryBudget, projectId: number, input: ReportInput): Promise<Spend> {
  const { groupBy, filters } = input;
  const hasRows =
    !filtersTouches(input) && filters.ad_set_id === '' && ['campaign', 'network_campaign', 'channel'].includes(groupBy);
  const filter = totalSpendFilter(input);
  if (!hasRows && !filter) return { ofRow: () => null, total: null };
  const spent = await queries.readSpend(budget, projectId, input, filter ?? ANY);
  const networks = spent.filter(({ campaign_id }) => campaign_id === 0);
  const byRow = new Map<string | number, number>();
  if (hasRows)
    for (const { campaign_id, network, spend, currencies } of spent)
      if (currencies.length === 1) {
        if (campaign_id !== 0) byRow.set(campaign_id, spend);
        else if (PAID.includes(network.toLowerCase())) byRow.set(network.toLowerCase(), spend);
      }
  const currencies = new Set(networks.flatMap(({ total_currencies }) => total_currencies));
  return {
    ofRow: (row) => byRow.get(groupBy === 'channel' ? row.id : row.campaign_id) ?? null,
    total: filter && currencies.size === 1 ? networks.reduce((sum, { total_spend }) => sum + total_spend, 0) : null,
  };
}

const ANY: queries.SpendFilter = { networks: [], network_campaign_id: '', search: '' };
/** The channels that are paid for with an ad network. */
const PAID = ['meta', 'google'];

/** Undefined where no campaign as a whole can match. */
export function totalSpendFilter(input: ReportInput): queries.SpendFilter | undefined {
  const { groupBy, filters } = input;
  if (filtersTouches(input) || filters.ad_set_id !== '' || groupBy === 'source') return undefined;
  if (filters.channel !== '' && !PAID.includes(filters.channel)) return undefined;
  const of = (networks: readonly string[], search: string) => ({
    networks: networks.map((name) => name.toUpperCase()),
    network_campaign_id: filters.network_campaign_id,
    search,
  });
  const networks = filters.channel === '' ? [] : [filters.channel];
  if (filters.search === '' || groupBy === 'campaign' || groupBy === 'network_campaign')
    return of(networks, filters.search);
  if (groupBy !== 'channel') return undefined;
  const matching = PAID.filter(
    (name) => (filters.channel === '' || name === filters.channel) && name.includes(filters.search.toLowerCase()),
  );
  return matching.length > 0 ? of(matching, '') : undefined;
}
