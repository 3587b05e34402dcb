/** Computes one page of the report on an app's campaigns (docs/contract/app-report.md). */
import type { Postgres } from '../db/postgres';
import { presentPagination, type Pagination } from '../lib/page';
import { displayIdOfLink, shareableLink } from '../configuration/campaign-url';
import type { QueryBudget } from '../reporting/query-budget';
import { sha256 } from '../lib/secrets';
import { addDays, DAY_MS, dayIn, FIRST_DAY, LAST_DAY, storableDay } from '../lib/time';
import { FiguresTable, type Columns, type Figures } from './figures';
import { orderParameters, type EventColumns, type ReportInput, type View } from './input';
import { compareText, sorted } from './order';
import * as queries from './queries';
import type { CampaignRow } from './queries';
import { LEVELS, readNames, type Level, type Scope } from './questions';
import {
  adRow,
  adSetRow,
  campaignRow,
  isNetworks,
  keywordRow,
  presentLink,
  networkCode,
  listPlatforms,
  type Shaping,
} from './presenter';

export interface ReportOptions {
  readonly postgres: Postgres;
  /** @throws UnavailableError when the derived tables lack something of the project. */
  readonly mustBeComplete: (projectId: number) => Promise<void>;
  /** Brings exchange rates in ClickHouse up to date. */
  readonly syncConfiguration: () => Promise<void>;
  readonly now: () => number;
}

export interface Report {
  readonly campaigns: readonly Record<string, unknown>[];
  readonly pagination: Pagination;
  readonly display_currency: string;
  readonly view: View;
  readonly unconverted_currencies?: readonly string[];
}

/** Stands for the domain of a link that is given without one; no domain has such a name. */
const ANY_DOMAIN = 'any-domain';

/** @throws OverBudgetError when it takes more than a report may, UnavailableError when an engine does not answer. */
export async function appReport(
  { postgres, mustBeComplete, syncConfiguration, now }: ReportOptions,
  budget: QueryBudget,
  projectId: number,
  input: ReportInput,
): Promise<Report> {
  const [project, known] = await Promise.all([
    queries.readProject(postgres, projectId),
    queries.readCampaigns(postgres, projectId, input.active, input.metaAccountId),
    mustBeComplete(projectId),
    syncConfiguration(),
  ]);
  const campaigns = known.filter((campaign) => matches(campaign, project, input));
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const scope = readScope(projectId, project, input, now());
  const figures = new FiguresTable(budget);
  // Where all campaigns are on one page, everything is asked for at once; else first what their order goes by.
  let counted: readonly Level[] = [];
  const order = await orderRows(postgres, projectId, input, [...byId.keys()], async () => {
    counted = byId.size <= input.page.limit ? LEVELS : ['campaign'];
    await figures.addBase({ ...scope, levels: counted, campaigns: [...byId.keys()] });
    const rows = campaigns.map((campaign) => ({
      figures: figures.campaign(campaign.id),
      isNetworks: isNetworks(campaign),
      createdAt: campaign.created_at.getTime(),
    }));
    return sorted(
      rows,
      { ...input, field: input.sortField },
      (a, b) => a.figures.campaign_id - b.figures.campaign_id,
    ).map((row) => row.figures.campaign_id);
  });
  const page = order.slice(input.page.offset, input.page.offset + input.page.limit).flatMap((id) => byId.get(id) ?? []);

  const columns =
    page.length > 0 ? await readColumns(budget, projectId, input.columns) : { events: [], payments: [], unique: [] };
  const shaping: Shaping = {
    view: input.view,
    currency: project.currency,
    columns,
    costs: new Set(input.columns.costs),
    hasDateFilter: input.from !== undefined || input.to !== undefined,
  };
  const rows =
    page.length > 0
      ? await pageRows({
          postgres,
          project,
          input,
          page,
          scope,
          shaping,
          figures,
          counted,
        })
      : [];
  return {
    campaigns: rows,
    pagination: presentPagination(campaigns.length, input.page),
    display_currency: project.currency,
    view: input.view,
    ...(figures.unconverted.size > 0 ? { unconverted_currencies: [...figures.unconverted].sort() } : {}),
  };
}

function readScope(
  projectId: number,
  project: queries.ProjectRow,
  input: ReportInput,
  now: number,
): Omit<Scope, 'campaigns' | 'levels'> {
  const activeSince = Math.max(0, now - input.activeUsers * DAY_MS);
  return {
    project_id: projectId,
    view: input.view,
    platform: input.platform,
    from: storableDay(input.from ?? FIRST_DAY),
    to: storableDay(input.to ?? LAST_DAY),
    today: dayIn(project.timezone, now),
    timezone: project.timezone,
    currency: project.currency,
    active_since: activeSince,
    active_from: storableDay(addDays(dayIn(project.timezone, activeSince), 1)),
  };
}

function matches(
  campaign: CampaignRow,
  project: queries.ProjectRow,
  { network, platform, search }: ReportInput,
): boolean {
  if (network !== undefined && networkCode(campaign) !== network) return false;
  if (platform !== '' && !listPlatforms(campaign, project)[platform === 'IOS' ? 'ios' : 'android']) return false;
  if (search === undefined) return true;
  if (campaign.display_id === displayIdInSearch(search, project.domains)) return true;
  const texts = [
    campaign.name,
    campaign.display_id,
    campaign.domain,
    campaign.deeplink,
    presentLink(campaign),
    shareableLink(campaign.domain, campaign.display_id),
  ];
  return texts.some((text) => text?.toLowerCase().includes(search.toLowerCase()));
}

/**
 * The display ID that a search names in a form that links of the project have, with or without their domain:
 * `/<display_id>`, `/sale?c=<display_id>`.
 */
function displayIdInSearch(search: string, domains: readonly string[]): string | undefined {
  const link = search.startsWith('/') ? `https://${ANY_DOMAIN}${search}` : search;
  return displayIdOfLink(
    link.includes('://') ? link : `https://${link}`,
    (host) => host === ANY_DOMAIN || domains.includes(host),
  );
}

/**
 * The order of the campaigns. That of a first page is kept, so that further pages neither repeat nor leave out a
 * campaign because figures have changed meanwhile; campaigns that have come since are at its end.
 */
async function orderRows(
  postgres: Postgres,
  projectId: number,
  input: ReportInput,
  ids: readonly number[],
  compute: () => Promise<number[]>,
): Promise<readonly number[]> {
  const parameters = sha256(orderParameters(input));
  const kept = input.page.page > 1 ? await queries.readOrder(postgres, projectId, parameters) : undefined;
  if (kept) {
    const known = new Set(kept);
    return [...kept, ...ids.filter((id) => !known.has(id))];
  }
  const order = ids.length > 0 ? await compute() : [];
  if (order.length > input.page.limit) await queries.putOrder(postgres, projectId, parameters, order);
  return order;
}

/** Those of the names asked for that the project ever received; others are dropped silently. */
async function readColumns(budget: QueryBudget, projectId: number, asked: EventColumns): Promise<Columns> {
  // No event of ours has such a name, and no engine takes it.
  const storable = (names: readonly string[]) =>
    [...new Set(names)].filter((name) => !name.includes('\0') && name.isWellFormed());
  const events = storable([...asked.events, ...asked.costs, ...asked.unique]);
  const payments = storable([...asked.payments, ...asked.costs]);
  if (events.length + payments.length === 0) return { events: [], payments: [], unique: [] };
  const known = await readNames(budget, { project_id: projectId, events, payments });
  const isKnown = (kind: 'event' | 'payment') => {
    const names = new Set(known.filter((row) => row.kind === kind).map((row) => row.name));
    return (name: string) => names.has(name);
  };
  const knownEvents = events.filter(isKnown('event'));
  return {
    events: knownEvents,
    payments: payments.filter(isKnown('payment')),
    unique: knownEvents.filter((name) => asked.unique.includes(name)),
  };
}

interface PageOptions {
  readonly postgres: Postgres;
  readonly project: queries.ProjectRow;
  readonly input: ReportInput;
  readonly page: readonly CampaignRow[];
  readonly scope: Omit<Scope, 'campaigns' | 'levels'>;
  readonly shaping: Shaping;
  /** Has the figures of the levels in `counted` already. */
  readonly figures: FiguresTable;
  readonly counted: readonly Level[];
}

async function pageRows({
  postgres,
  project,
  input,
  page,
  scope,
  shaping,
  figures,
  counted,
}: PageOptions): Promise<Record<string, unknown>[]> {
  const about = { ...scope, levels: LEVELS, campaigns: page.map((campaign) => campaign.id) };
  const levels = LEVELS.filter((level) => !counted.includes(level));
  if (levels.length > 0) await figures.addBase({ ...about, levels });
  await figures.addColumns(about, shaping.columns);
  const [adSets, ads, keywords] = [figures.named('ad_set'), figures.named('ad'), figures.named('keyword')];
  const accountIds = page.flatMap((campaign) => campaign.network_account_id ?? []);
  const accounts = new Map(
    (accountIds.length > 0 ? await queries.readNetworkAccounts(postgres, accountIds) : []).map((account) => [
      account.id,
      account,
    ]),
  );

  return page.map((campaign) => {
    const platforms = listPlatforms(campaign, project);
    const inOrder = (rows: readonly Figures[], id: (row: Figures) => string) =>
      sorted(
        rows.map((row) => ({ figures: row, isNetworks: isNetworks(campaign) })),
        { ...input, field: input.sortField },
        (a, b) => compareText(id(a.figures), id(b.figures)),
      ).map((row) => row.figures);
    const own = (rows: readonly Figures[], adSet?: string) =>
      rows.filter((row) => row.campaign_id === campaign.id && (adSet === undefined || row.ad_set === adSet));
    const adSetRows = inOrder(own(adSets), (row) => row.ad_set).map((row) =>
      adSetRow(
        row,
        campaign,
        platforms,
        {
          ads: inOrder(own(ads, row.ad_set), (ad) => ad.ad).map((ad) => adRow(ad, campaign, shaping)),
          keywords: inOrder(own(keywords, row.ad_set), (keyword) => keyword.keyword).map((keyword) =>
            keywordRow(keyword, campaign, shaping),
          ),
        },
        shaping,
      ),
    );
    return campaignRow(
      campaign,
      figures.campaign(campaign.id),
      accounts.get(campaign.network_account_id ?? 0),
      platforms,
      adSetRows,
      shaping,
    );
  });
}
