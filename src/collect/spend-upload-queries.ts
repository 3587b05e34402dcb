/** The queries behind uploads of spend, one function per statement of sql/queries and clickhouse/queries. */
import type { ClickHouse } from '../db/clickhouse';
import type { Row } from '../db/postgres';
import { postgresQuery, readQuery } from '../db/sql';

export interface SpendAccount extends Row {
  account: string;
  network: string;
  currency: string | null;
}
export interface UploadRow extends Row {
  id: number;
  state: 'storing' | 'stored' | 'undoing' | 'undone';
  name: string;
  made_by: string;
  created_at: Date;
  rows: number;
  first_day: string;
  last_day: string;
  sums: Readonly<Record<string, string>>;
  undone_by: string | null;
  undone_at: Date | null;
  restored: number | null;
  removed: number | null;
  kept: number | null;
}

export const createUpload = postgresQuery<{ id: number }>('spend-uploads.create');
export const setStored = postgresQuery('spend-uploads.set-stored');
export const listUploads = postgresQuery<UploadRow>('spend-uploads.list');
export const setUndoing = postgresQuery('spend-uploads.set-undoing');
export const setUndone = postgresQuery('spend-uploads.set-undone');
export const readUndone = postgresQuery<{ id: number }>('spend-uploads.undone');
export const hasLaterUpload = postgresQuery<{ yes: boolean }>('spend-uploads.later');
export const listSpendAccounts = postgresQuery<SpendAccount>('spend-uploads.accounts');
export const readCurrencies = postgresQuery<{ currency: string }>('spend-uploads.currency');
export const readFirstRates = postgresQuery<{ currency: string; since: string }>('spend-uploads.first-rates');

const texts = {
  noteReplaced: readQuery('clickhouse', 'spend-uploads.note-replaced'),
  inForce: readQuery('clickhouse', 'spend-uploads.in-force'),
  replaced: readQuery('clickhouse', 'spend-uploads.replaced'),
};

/** What tells rows of spend apart. */
export const KEYS = [
  'campaign_id',
  'date',
  'ad_set_id',
  'ad_id',
  'keyword_id',
  'platform',
  'network',
  'account',
] as const;
export type SpendKeys = Readonly<Record<(typeof KEYS)[number], string | number>>;
/** What else a row has. */
export const CONTENTS = [
  'network_campaign_id',
  'campaign_name',
  'ad_set_name',
  'ad_name',
  'keyword_name',
  'impressions',
  'clicks',
  'spend',
  'currency',
] as const;

export type InForce = SpendKeys & Row & { readonly version: number };
export type Replaced = SpendKeys &
  Row &
  Readonly<Record<(typeof CONTENTS)[number], string | number>> & {
    readonly existed: number;
    readonly replaced_upload_id: number;
  };

export const noteReplaced = (db: ClickHouse, project_id: number, upload_id: number) =>
  db.command(texts.noteReplaced, { project_id, upload_id });
export const readInForce = (db: ClickHouse, project_id: number, upload_id: number) =>
  db.rows<InForce>(texts.inForce, { project_id, upload_id });
export const readReplaced = (db: ClickHouse, project_id: number, upload_id: number) =>
  db.rows<Replaced>(texts.replaced, { project_id, upload_id });
