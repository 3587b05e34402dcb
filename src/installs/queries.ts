/** The queries behind the list of installs, one function per file. */
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { Reads } from '../reporting/bounded-reads';

const texts = {
  latest: readQuery('clickhouse', 'installs.latest'),
  page: readQuery('clickhouse', 'installs.page'),
  rows: readQuery('clickhouse', 'installs.rows'),
  events: readQuery('clickhouse', 'installs.events'),
  countEvents: readQuery('clickhouse', 'installs.count-events'),
  project: readQuery('sql', 'installs.project'),
  campaigns: readQuery('sql', 'installs.campaigns'),
  partners: readQuery('sql', 'installs.partners'),
};

/** What latest of installs.sql and installs.page.sql choose by. */
export interface Selection extends Record<string, unknown> {
  readonly project: number;
  readonly search: string;
  readonly limit: number;
}
/** Which decided installs installs.page.sql looks at, and down to which place the page can tell. */
export interface Candidates {
  readonly candidates: readonly string[];
  readonly after_time: number;
  readonly after_id: string;
}
export interface PageRow extends Record<string, unknown> {
  install_id: string;
  installed_ms: number;
}
export interface InstallRow extends Record<string, unknown> {
  install_id: string;
  user_id: string;
  installed_at: string;
  received_at: string;
  app_id: string;
  platform: string;
  country: string;
  gaid: string | null;
  idfa: string | null;
  ua: string;
  /** Empty while there is no decision. */
  rule: string;
  campaign_id: number;
  partner_id: number;
  touch_type: string;
  touch_to_install_ms: number | null;
  reinstall: number;
  click_injection: number;
  install_hijacking: number;
}
export interface EventRow extends Record<string, unknown> {
  event_id: string;
  type: string;
  name: string;
  time: string;
  received_at: string;
  payment_type: string;
  amount: number | null;
  currency: string;
  user_id: string;
  link: string;
}
export interface CampaignRow extends Record<string, unknown> {
  id: number;
  display_id: string;
  name: string;
  network: string | null;
}
export interface PartnerRow extends Record<string, unknown> {
  id: number;
  name: string;
}

export const findLatest = (db: Reads, selection: Selection, rows: number) =>
  db.rows<PageRow>(texts.latest, { ...selection, rows });
export const findPage = (db: Reads, selection: Selection, candidates: Candidates) =>
  db.rows<PageRow>(texts.page, { ...selection, ...candidates });
export const readInstalls = (db: Reads, project: number, installs: readonly string[]) =>
  db.rows<InstallRow>(texts.rows, { project, installs });
export const readEvents = (db: Reads, project: number, install: string, limit: number) =>
  db.rows<EventRow>(texts.events, { project, install, limit });
export const countEvents = async (db: Reads, project: number, install: string) =>
  (await db.rows<{ total: number }>(texts.countEvents, { project, install }))[0]?.total ?? 0;
export const readTimezone = async (db: Queryable, projectId: number) =>
  (await db.rows<{ timezone: string }>(texts.project, [projectId]))[0]?.timezone ?? 'UTC';
export const readCampaigns = async (db: Queryable, projectId: number, ids: readonly number[]) =>
  byId(await db.rows<CampaignRow>(texts.campaigns, [projectId, ids]));
export const readPartners = async (db: Queryable, ids: readonly number[]) =>
  byId(await db.rows<PartnerRow>(texts.partners, [ids]));

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));
