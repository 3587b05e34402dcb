/** The queries behind attribution, one function per statement of clickhouse/queries. */
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { Reads } from '../reporting/bounded-reads';

const texts = {
  usersCount: readQuery('clickhouse', 'attribution.users-count'),
  users: readQuery('clickhouse', 'attribution.users'),
  profiles: readQuery('clickhouse', 'attribution.profiles'),
  result: readQuery('clickhouse', 'attribution.result'),
  userId: readQuery('clickhouse', 'attribution.user-id'),
  explain: readQuery('clickhouse', 'attribution.explain'),
  pending: readQuery('clickhouse', 'attribution.pending'),
};
const campaigns = readQuery('sql', 'attribution.campaigns');

/** Installs of a campaign by their time in milliseconds: from the first on, before the second. */
export interface UserSelection {
  readonly project: number;
  readonly campaign: number;
  readonly from: number;
  readonly to: number;
}
interface CreditedRow extends Record<string, unknown> {
  install_id: string;
  install_time: string;
  touch_type: string;
  touch_time: string | null;
  ad_set_id: string;
  ad_set_name: string;
  ad_id: string;
  ad_name: string;
}
export interface UserRow extends CreditedRow {
  publisher_platform: string;
  platform_position: string;
}
export interface ResultRow extends CreditedRow {
  rule: string;
  campaign_id: number;
  gaid: string | null;
  idfa: string | null;
  keyword_id: string;
  keyword_name: string;
}
export interface ProfileRow extends Record<string, unknown> {
  install_id: string;
  about: 'user' | 'device';
  key: string;
  value: string;
}
export interface CampaignRow extends Record<string, unknown> {
  id: number;
  display_id: string;
  name: string;
  network: string | null;
  network_campaign_id: string | null;
  deeplink: string | null;
  is_shortlink: boolean;
  partner: string | null;
  own_domain: string | null;
}
export interface CandidateRow {
  rule: string;
  touch_type: string;
  touch_id: string;
  touch_time: string;
  received_at: string;
  campaign_id: number;
  window_seconds: number;
  verdict: string;
}
export interface ExplainRow extends Record<string, unknown> {
  install_id: string;
  event_id: string;
  app_id: string;
  platform: string;
  install_time: string;
  received_at: string;
  gaid: string | null;
  idfa: string | null;
  ip: string;
  ua: string;
  decided_at: string;
  rule: string;
  campaign_display_id: string;
  campaign_name: string;
  partner_name: string;
  touch_type: string;
  touch_id: string | null;
  touch_time: string | null;
  window_seconds: number | null;
  touch_to_install_ms: number | null;
  reinstall: number;
  click_injection: number;
  install_hijacking: number;
  candidates: CandidateRow[];
}

export const countUsers = async (db: Reads, of: UserSelection) =>
  (await db.rows<{ total: number }>(texts.usersCount, { ...of }))[0]?.total ?? 0;
export const readUsers = (db: Reads, of: UserSelection, limit: number, offset: number) =>
  db.rows<UserRow>(texts.users, { ...of, limit, offset });
export const readProfiles = (db: Reads, project: number, installs: readonly string[]) =>
  db.rows<ProfileRow>(texts.profiles, { project, installs });
export const readResult = async (db: Reads, project: number, kinds: readonly string[], value: string) =>
  (await db.rows<ResultRow>(texts.result, { project, kinds, value }))[0];
export const readUserId = async (db: Reads, project: number, install: string) =>
  (await db.rows<{ known: string }>(texts.userId, { project, install }))[0]?.known || null;
export const readCampaigns = (db: Queryable, projectId: number, ids: readonly number[]) =>
  db.rows<CampaignRow>(campaigns, [projectId, ids]);
export const readExplanation = async (db: Reads, project: number, install: string) =>
  (await db.rows<ExplainRow>(texts.explain, { project, install }))[0];
export const wasReceived = async (db: Reads, project: number, install: string) =>
  Boolean((await db.rows<{ received: number }>(texts.pending, { project, install }))[0]?.received);
