/** The queries behind scheduled exports, one function per statement of sql/queries/scheduled-exports.sql. */
import type { Destination, Every } from '../configuration/exports';
import type { Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import type { Format } from '../files/formats';

export interface ExportRow extends Row {
  id: number;
  project_id: number;
  name: string;
  /** Kind of records, or `query`. */
  kind: string;
  query: Record<string, unknown> | null;
  format: Format;
  every: Every;
  destination: Destination;
  enabled: boolean;
  created_at: Date;
  /** Of the project. */
  timezone: string;
  failures: number;
  error: string;
  failed_at: Date | null;
  complete_until: Date | null;
}

const query = <T extends Row = Row>(name: string) => postgresQuery<T>(`scheduled-exports.${name}`);

export const listExports = query<ExportRow>('list');
export const listEnabled = query<ExportRow>('enabled');
export const addStates = query('add-states');
export const readDue = query<ExportRow>('due');
export const tryLock = query<{ acquired: boolean }>('try-lock');
export const unlock = query('unlock');
export const noteLooked = query('note-looked');
export const noteFailure = query('note-failure');
export const readMissing = query<{ period: string; total: number; first: string }>('missing');
export const readToCheck = query<{ period: string; fingerprint: string }>('to-check');
export const noteChecked = query('note-checked');
export const beginRevision = query<{ revision: number }>('begin-revision');
export const replaceWritten = query('replace-written');
export const noteWritten = query('note-written');
export const readToRemove = query<{ period: string; revision: number }>('to-remove');
export const noteRemoved = query('note-removed');
export const readProgress = query<{
  periods: number;
  rows: number;
  bytes: number;
  latest: string | null;
  written_at: Date | null;
}>('progress');
export const addBackfill = query<{ id: number }>('add-backfill');
export const readBackfills = query<{ id: number; from: string; to: string; asked_at: Date }>('backfills');
export const lookSoon = query('look-soon');
