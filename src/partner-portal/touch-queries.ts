/** The queries behind single touches and refused requests, one function per statement. */
import type { Queryable, Row } from '../db/postgres';
import { postgresQuery, readQuery } from '../db/sql';
import type { Reads } from '../reporting/bounded-reads';

/** Whose touches: of all partners where that is 0. */
export interface TouchSelection extends Record<string, unknown> {
  readonly projects: readonly number[];
  readonly partner: number;
  readonly search: string;
  readonly id: string;
  readonly limit: number;
}
export interface TouchRow extends Row {
  touch_type: 'click' | 'impression' | 'ctv_impression';
  touch_id: string;
  kind: string;
  project_id: number;
  campaign_id: number;
  partner_id: number;
  tid: string;
  s2: string;
  s3: string;
  s4: string;
  touch_time: string;
  received_at: string;
  touch_ms: number;
  app_id: string;
  d: string;
  country: string;
  gaid: string;
  idfa: string;
  ip: string;
}
const touches = readQuery('clickhouse', 'touch-search.touches');
export const readTouches = (db: Reads, selection: TouchSelection) => db.rows<TouchRow>(touches, selection);

/** By what installs can have considered touches. */
export interface InstallSelection extends Record<string, unknown> {
  readonly projects: readonly number[];
  readonly touches: readonly string[];
  readonly devices: readonly string[];
  readonly ips: readonly string[];
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly limit: number;
}
export interface ConsideredRow extends Row {
  project_id: number;
  install_id: string;
  install_time: string;
  decided_at: string;
  reinstall: number;
  rule: string;
  campaign_id: number;
  touch_id: string;
  verdict: string;
}
const installs = readQuery('clickhouse', 'touch-search.installs');
export const readConsidered = (db: Reads, selection: InstallSelection) => db.rows<ConsideredRow>(installs, selection);

export interface NamedCampaign extends Row {
  id: number;
  display_id: string;
  name: string;
}
export const readCampaignNames = postgresQuery<NamedCampaign>('touch-search.campaigns');
export interface NamedPlace extends Row {
  what: string;
  id: number;
  name: string;
}
export const readPlaces = postgresQuery<NamedPlace>('touch-search.places');

export interface RefusedRow extends Row {
  id: number;
  received_at: Date;
  kind: 'click' | 'impression' | 'ctv_impression';
  reason: string;
  tid: string;
  query: string;
  project_id: number | null;
  project: string | null;
  partner_id: number;
  partner: string;
  display_id: string | null;
  campaign: string | null;
}
const refused = postgresQuery<RefusedRow>('refused-requests.list');

export interface RefusedSelection {
  readonly partner: number | undefined;
  readonly project: number | undefined;
  readonly reason?: string | undefined;
  readonly kind?: string | undefined;
  readonly tid?: string | undefined;
  readonly id?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}
/** Samples of a partner, or of those that named a project. */
export const readRefused = (db: Queryable, one: RefusedSelection) =>
  refused(
    db,
    one.partner ?? null,
    one.project ?? null,
    one.reason ?? null,
    one.kind ?? null,
    one.tid ?? null,
    one.id ?? null,
    one.before ?? null,
    one.limit,
  );
