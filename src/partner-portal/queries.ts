/** The queries behind the partner portal, one function per statement of sql/queries and clickhouse/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { QueryBudget } from '../reporting/query-budget';

export interface CampaignRow extends Row {
  display_id: string;
  name: string;
  project_id: number;
  project: string;
  account: string;
  active: boolean;
  paused: boolean;
  created_at: Date;
  apps: string[];
  domain: string | null;
  s2s_clicks: boolean;
  s2s_traffic: boolean;
  view_through: boolean;
  ctv_apps: string[];
  view_window_hours: number;
}

const texts = {
  partner: readQuery('sql', 'partner-portal.partner'),
  projects: readQuery('sql', 'partner-portal.projects'),
  campaigns: readQuery('sql', 'partner-portal.campaigns'),
  campaignsCount: readQuery('sql', 'partner-portal.campaigns-count'),
  campaignsById: readQuery('sql', 'partner-portal.campaigns-by-id'),
  completeUntil: readQuery('sql', 'partner-portal.complete-until'),
};

export const partnerExists = async (db: Queryable, partnerId: number) =>
  (await db.rows(texts.partner, [partnerId])).length > 0;
export interface ProjectRow extends Row {
  id: number;
  name: string;
  account: string;
}
/** The projects that work with a partner. */
export const readProjects = (db: Queryable, partnerId: number) => db.rows<ProjectRow>(texts.projects, [partnerId]);
export const readCampaigns = (db: Queryable, partnerId: number, search: string, limit: number, offset: number) =>
  db.rows<CampaignRow>(texts.campaigns, [partnerId, search, limit, offset]);
export const countCampaigns = async (db: Queryable, partnerId: number, search: string) =>
  (await db.rows<{ total: number }>(texts.campaignsCount, [partnerId, search]))[0]?.total ?? 0;
export interface CampaignNameRow extends Row {
  id: number;
  display_id: string;
  name: string;
  project_id: number;
  project: string;
}
/** Those of the campaigns that are the partner's. */
export const readCampaignsById = (db: Queryable, partnerId: number, ids: readonly number[]) =>
  db.rows<CampaignNameRow>(texts.campaignsById, [partnerId, ids]);
/** Receipt time, in milliseconds, up to which everything accepted is in the credited figures; null before the first. */
export const readCompleteUntil = async (db: Queryable) =>
  (await db.rows<{ settled: number }>(texts.completeUntil))[0]?.settled ?? null;

/** What figures are about. Days are UTC, both inclusive. */
export interface Scope {
  readonly partner_id: number;
  readonly projects: readonly number[];
  readonly from: string;
  readonly to: string;
}
export interface TrafficScope extends Scope {
  readonly by: 'project' | 'campaign' | 'day' | 'hour';
  /** Whether requests count whose project is not known, or none of those. */
  readonly any_project: boolean;
}

/** `slot`: the ID of a project or campaign, or when an hour or day begins, in seconds since 1970. */
export interface TouchesRow extends Row {
  slot: number;
  what: 'click' | 'link_click' | 'impression' | 'ctv_impression';
  touches: number;
}
export interface RequestsRow extends Row {
  slot: number;
  kind: 'click' | 'impression' | 'ctv_impression';
  outcome: string;
  requests: number;
}
export interface InstallsRow extends Row {
  slot: number;
  installs: number;
  reinstalls: number;
  reengagements: number;
}
export interface EventsRow extends Row {
  slot: number;
  signups: number;
  payments: number;
  events: number;
}
export interface CreditedRow extends Row {
  install_time: string;
  reinstall: number;
  project_id: number;
  display_id: string;
  campaign: string;
  touch_type: string;
  rule: string;
  /** Null where no touch of ours is credited. */
  touch_time: string | null;
  tid: string;
  s2: string;
  s3: string;
  s4: string;
  country: string;
  platform: string;
  suspicious: number;
}

const asking = <P extends Scope, T extends Row>(file: string) => {
  const name = `partner-portal.${file}`;
  const statement = { name, text: readQuery('clickhouse', name) };
  return (budget: QueryBudget, params: P): Promise<T[]> => budget.rows<T>(statement, { ...(params as Scope) });
};
export const readTouches = asking<TrafficScope, TouchesRow>('touches');
export const readRequests = asking<TrafficScope, RequestsRow>('requests');
export const readInstalls = asking<TrafficScope, InstallsRow>('installs');
export const readEvents = asking<TrafficScope, EventsRow>('events');
export const readEventsByCampaign = asking<TrafficScope, EventsRow>('events-by-campaign');
export const readCredited = asking<Scope & { readonly limit: number }, CreditedRow>('credited');
