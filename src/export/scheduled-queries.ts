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
  /** The same in one form, see nameExportPlace. */
  place: string;
  enabled: boolean;
  created_at: Date;
  /** The project's time zone. */
  timezone: string;
  declared_by: 'operator' | 'project';
  keys_changed_at: Date | null;
  failures: number;
  error: string;
  failed_at: Date | null;
  complete_until: Date | null;
}

/** One that is taken up, and since when it is due. */
export interface DueRow extends ExportRow {
  due_at: Date;
}

export interface DoingRow extends Row {
  id: number;
  name: string;
  project_id: number;
  project: string;
  /** Why it fails; null while it does not, as are the two after it. */
  error: string | null;
  failing_since: Date | null;
  failing_seconds: number | null;
  lag_seconds: number;
  enabled: number;
  failing: number;
  late: number;
  longest_lag_seconds: number;
}

export const listExports = postgresQuery<ExportRow>('scheduled-exports.list');
export const readDoing = postgresQuery<DoingRow>('scheduled-exports.doing');
export const addStates = postgresQuery('scheduled-exports.add-states');
export const readDue = postgresQuery<DueRow>('scheduled-exports.due');
export const tryLock = postgresQuery<{ acquired: boolean }>('scheduled-exports.try-lock');
export const unlock = postgresQuery('scheduled-exports.unlock');
export const noteLooked = postgresQuery('scheduled-exports.note-looked');
export const noteComplete = postgresQuery('scheduled-exports.note-complete');
export const noteNext = postgresQuery('scheduled-exports.note-next');
export const noteFailure = postgresQuery('scheduled-exports.note-failure');
export const readMissing = postgresQuery<{ period: string; total: number; first: string }>('scheduled-exports.missing');
export interface ToCheckRow extends Row {
  period: string;
  revision: number;
  fingerprint: string;
  /** Those that were written. */
  rows: number;
  /** Whether parts of former revisions are still there. */
  has_former: boolean;
}
export const readToCheck = postgresQuery<ToCheckRow>('scheduled-exports.to-check');
export const noteChecked = postgresQuery('scheduled-exports.note-checked');
export const findBegun = postgresQuery<{ revision: number }>('scheduled-exports.begun');
export const abandon = postgresQuery('scheduled-exports.abandon');
export const noteFound = postgresQuery('scheduled-exports.note-found');
export const notePublishing = postgresQuery('scheduled-exports.note-publishing');
export const beginRevision = postgresQuery<{ revision: number }>('scheduled-exports.begin-revision');
export const replaceWritten = postgresQuery('scheduled-exports.replace-written');
export const noteWritten = postgresQuery('scheduled-exports.note-written');
export const readToRemove = postgresQuery<{ period: string; revision: number }>('scheduled-exports.to-remove');
export const noteRemoved = postgresQuery('scheduled-exports.note-removed');
export const readProgress = postgresQuery<{
  periods: number;
  rows: number;
  bytes: number;
  latest: string | null;
  written_at: Date | null;
}>('scheduled-exports.progress');
export const addBackfill = postgresQuery<{ id: number }>('scheduled-exports.add-backfill');
export const readBackfills = postgresQuery<{
  id: number;
  from: string;
  to: string;
  asked_at: Date;
  periods: number;
  periods_written: number;
}>('scheduled-exports.backfills');
export const lookSoon = postgresQuery('scheduled-exports.look-soon');
export const findPlaces = postgresQuery<{ id: number; place: string; destination: Destination }>(
  'scheduled-exports.places',
);
export const findLiving = postgresQuery<{ id: number }>('scheduled-exports.living');
export const listNames = postgresQuery<{ name: string }>('scheduled-exports.names');
export const readProject = postgresQuery<{ timezone: string }>('scheduled-exports.project');
export const createExport = postgresQuery<{ id: number }>('scheduled-exports.create');
export const setEnabled = postgresQuery('scheduled-exports.set-enabled');
export const putKeys = postgresQuery('scheduled-exports.put-keys');
export const noteKeys = postgresQuery('scheduled-exports.note-keys');
export const readKeys = postgresQuery<{ access_key: string; secret: string }>('scheduled-exports.keys');
export const lookAgain = postgresQuery('scheduled-exports.look-again');
export const tryLockInTransaction = postgresQuery<{ acquired: boolean }>('scheduled-exports.try-lock-in-transaction');
export const deleteExport = postgresQuery('scheduled-exports.delete');
export const findWanted = postgresQuery<{ id: number }>('scheduled-exports.is-wanted');
