/** The queries behind app reporting, one function per query of sql/queries and clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery, readStepwiseQuery, type Steps } from '../db/sql';
import type { QueryBudget, Statement } from '../reporting/query-budget';
import type { View } from './input';

export interface ProjectRow extends Row {
  timezone: string;
  currency: string;
  ios: boolean;
  android: boolean;
  domains: readonly string[];
}

export interface CampaignRow extends Row {
  id: number;
  display_id: string;
  name: string;
  active: boolean;
  created_at: Date;
  network: string | null;
  network_campaign_id: string | null;
  network_account_id: number | null;
  web_to_app: boolean;
  deeplink: string | null;
  is_shortlink: boolean;
  partner: string | null;
  domain_id: number | null;
  domain: string | null;
  ios_listing: string | null;
  android_listing: string | null;
}

export interface NetworkAccountRow extends Row {
  id: number;
  name: string | null;
  email: string | null;
  status: string;
  capi_configured: boolean;
  account_name: string | null;
  external_customer_id: string;
}

const texts = {
  project: readQuery('sql', 'app-report.project'),
  campaigns: readQuery('sql', 'app-report.campaigns'),
  accounts: readQuery('sql', 'app-report.network-accounts'),
  order: readQuery('sql', 'app-report.order'),
  putOrder: readQuery('sql', 'app-report.put-order'),
};

export const readProject = async (db: Queryable, projectId: number) =>
  (await db.rows<ProjectRow>(texts.project, [projectId]))[0] as ProjectRow;
export const readCampaigns = (db: Queryable, projectId: number, active: boolean | null, metaAccountId: number | null) =>
  db.rows<CampaignRow>(texts.campaigns, [projectId, active, metaAccountId]);
export const readNetworkAccounts = (db: Queryable, ids: readonly number[]) =>
  db.rows<NetworkAccountRow>(texts.accounts, [ids]);
/** The order in which the first page of a report was given lately; undefined if it was not. */
export const readOrder = async (db: Queryable, projectId: number, parameters: string) =>
  (await db.rows<{ campaign_ids: number[] }>(texts.order, [projectId, parameters]))[0]?.campaign_ids;
export const putOrder = (db: Queryable, projectId: number, parameters: string, ids: readonly number[]) =>
  db.rows(texts.putOrder, [projectId, parameters, ids]);

/** What rows are grouped by: campaigns, or their parts. */
export type Level = 'campaign' | 'ad_set' | 'ad' | 'keyword';

/** What the figures of a report are about. */
export interface Scope {
  readonly project_id: number;
  readonly view: View;
  readonly campaigns: readonly number[];
  readonly platform: 'IOS' | 'ANDROID' | '';
  readonly levels: readonly Level[];
  /** Days in the project's time zone, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly timezone: string;
  readonly currency: string;
  /** When the window of active users began (milliseconds), and the first day that is wholly in it. */
  readonly active_since: number;
  readonly active_from: string;
}

/** What every row is about; empty where the level has no such part. */
export type Key = {
  readonly level: Level;
  readonly campaign_id: number;
  readonly ad_set: string;
  readonly ad: string;
  readonly keyword: string;
};

export type FiguresRow = Key &
  Record<'ad_set_name' | 'ad_name' | 'ad_type' | 'keyword_name', string> &
  Record<Count, number>;
export type Count =
  | 'installs'
  | 'reinstalls'
  | 'reengagements'
  | 'click_through'
  | 'view_through'
  | 'suspicious_installs'
  | 'signups'
  | 'uninstalls'
  | 'recent_starts'
  | 'active_users'
  | `mature_${0 | 1 | 3 | 7 | 14 | 30}`
  | `retained_${1 | 7 | 14 | 30}`
  | `classic_${1 | 7 | 14 | 30}`
  | `rolling_${1 | 7}`;
/** Money as decimals with up to 27 digits: revenue by its own day, and that of the cohort up to days 0, 3, 7 and 30. */
export type RevenueRow = Key &
  Record<'revenue' | `cohort_${0 | 3 | 7 | 30}`, string> & { type: string; payments: number; unconverted: string[] };
export type SpendRow = Key & {
  ad_set_name: string;
  ad_name: string;
  keyword_name: string;
  spend: string;
  clicks: number;
  recent_clicks: number;
  unconverted: string[];
};
export type ClicksRow = Key & { clicks: number; recent_clicks: number };
export type EventsRow = Key & { name: string; events: number; users: number };
export type EventAmountsRow = Key & { name: string; amount: string; unconverted: string[] };

/** The queries of clickhouse/queries, one function each; those by level select from steps. */
const asking =
  <T extends Row>(statement: Statement) =>
  (budget: QueryBudget, params: object): Promise<T[]> =>
    budget.rows<T>(statement, { ...params });
const simple = <T extends Row>(file: string) => {
  const name = `app-report.${file}`;
  return asking<T>({ name, text: readQuery('clickhouse', name) });
};
const byLevel = <T extends Row>(file: string, steps: Steps) => {
  const name = `app-report.${file}`;
  return asking<T>({ name, text: readStepwiseQuery('clickhouse', name, steps, { levels_of: 'app-report.levels-of' }) });
};
const journeys: Steps = { journeys: 'app-report.step-journeys' };
/** From amounts by currency and day to the rates that convert them. */
const priced = (amounts: string): Steps => ({ amounts: `app-report.${amounts}`, priced: 'app-report.step-priced' });

export const readFigures = byLevel<FiguresRow>('figures', journeys);
export const readRevenue = byLevel<RevenueRow>('revenue', { ...journeys, ...priced('step-revenue') });
export const readEvents = byLevel<EventsRow>('events', journeys);
export const readEventAmounts = byLevel<EventAmountsRow>('event-amounts', {
  ...journeys,
  ...priced('step-event-amounts'),
});
export const readClicks = byLevel<ClicksRow>('clicks', {});
export const readClicksSince = simple<{ campaign_id: number; clicks: number }>('clicks-since');
export const readNames = simple<{ kind: 'event' | 'payment'; name: string }>('names');
export const readSpend = byLevel<SpendRow>('spend', {
  spend: 'app-report.step-spend',
  ...priced('step-spend-amounts'),
});
