/** The address of every page and what its URL can say; and links to them, which the compiler checks. */
import { type Static, Type } from '@sinclair/typebox';
import type { Area } from './page';
import { alertSearch, alertsSearch } from './pages/alerts/search';
import { auditLogSearch } from './pages/audit-log/search';
import { campaignSearch } from './pages/campaign/search';
import { campaignsSearch } from './pages/campaigns/search';
import { connectSearch } from './pages/connect/search';
import { exportsSearch } from './pages/exports/search';
import { credentialsSearch } from './pages/credentials/search';
import { exploreSearch } from './pages/explore/search';
import { funnelSearch } from './pages/funnel/search';
import { installSearch } from './pages/install/search';
import { installsSearch } from './pages/installs/search';
import { keysSearch } from './pages/keys/search';
import { linkSearch, linksSearch } from './pages/links/search';
import { messagesSearch } from './pages/messages/search';
import { overviewSearch } from './pages/overview/search';
import { partnerCampaignsSearch } from './pages/partner-campaigns/search';
import { partnerInstallsSearch } from './pages/partner-installs/search';
import { partnerOverviewSearch } from './pages/partner-overview/search';
import { partnerSearch, partnersSearch } from './pages/partners/search';
import { retentionSearch } from './pages/retention/search';
import { schedulesSearch } from './pages/schedules/search';
import { schemaSearch } from './pages/schema/search';
import { setupSearch } from './pages/setup/search';
import { settingsSearch } from './pages/settings/search';
import { spendSearch } from './pages/spend/search';
import { sqlSearch } from './pages/sql/search';
import { testBenchSearch } from './pages/test-bench/search';
import { touchesSearch } from './pages/touches/search';
import { valueSearch } from './pages/value/search';
import { webSearch } from './pages/web/search';

const noSearch = Type.Object({});

/** By area and by path below it. */
export const searches = {
  project: {
    overview: overviewSearch,
    explore: exploreSearch,
    boards: noSearch,
    'boards/$boardId': noSearch,
    campaigns: campaignsSearch,
    'campaigns/$displayId': campaignSearch,
    retention: retentionSearch,
    funnel: funnelSearch,
    web: webSearch,
    'values/$dimension': valueSearch,
    installs: installsSearch,
    'installs/$installId': installSearch,
    alerts: alertsSearch,
    'alerts/$alertId': alertSearch,
    schedules: schedulesSearch,
    links: linksSearch,
    'links/$displayId': linkSearch,
    spend: spendSearch,
    touches: touchesSearch,
    partners: partnersSearch,
    'partners/$partnerId': partnerSearch,
    schema: schemaSearch,
    sql: sqlSearch,
    exports: exportsSearch,
    connect: connectSearch,
    status: noSearch,
    setup: setupSearch,
    settings: settingsSearch,
    postbacks: noSearch,
    messages: messagesSearch,
    keys: keysSearch,
    erasure: noSearch,
    members: noSearch,
    'audit-log': auditLogSearch,
  },
  partner: {
    overview: partnerOverviewSearch,
    campaigns: partnerCampaignsSearch,
    installs: partnerInstallsSearch,
    touches: touchesSearch,
    'test-bench': testBenchSearch,
    postbacks: noSearch,
    messages: messagesSearch,
    credentials: credentialsSearch,
    members: noSearch,
  },
  installation: {
    accounts: noSearch,
    rates: noSearch,
    workspace: noSearch,
    members: noSearch,
    'audit-log': auditLogSearch,
    status: noSearch,
  },
};
export type Searches = typeof searches;

export const PREFIXES = {
  project: '/projects/$projectId',
  partner: '/partners/$partnerId',
  installation: '/installation',
} as const;
type Prefixes = typeof PREFIXES;

/** `/projects/$projectId/links`, for example; a place alone leads to its first page. */
type Address = { [A in Area]: Prefixes[A] | `${Prefixes[A]}/${keyof Searches[A] & string}` }[Area];

type Names<T extends string> = T extends `${string}$${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : T extends `${string}$${infer Name}`
    ? Name
    : never;

type Schema<T extends Address> = {
  [A in Area]: T extends `${Prefixes[A]}/${infer P}` ? (P extends keyof Searches[A] ? Searches[A][P] : never) : never;
}[Area];
type View<T extends Address> = Partial<Static<Schema<T>>>;

/** What a link or `navigate` takes. The router is made of a list of pages, and knows no type of any search. */
export const leadTo = (to: string, search?: object) => ({ to, search: search as never });

/** For a link to a page: `<Anchor component={Link} {...toPage('/projects/$projectId/links', { projectId })}>`. */
export function toPage<T extends Address>(
  address: T,
  params: Readonly<Record<Names<T>, string | number>>,
  search?: View<T> | ((before: Record<string, unknown>) => View<T>),
) {
  const given: Readonly<Record<string, string | number>> = params;
  return leadTo(
    address.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? '')),
    search,
  );
}
