/** The queries behind what is derived, one function a file of clickhouse/queries and sql/queries. */
import type { ClickHouse, Limits } from '../db/clickhouse';
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';

/** Deriving leaves a core to ingest, and never outlives the request that asked for it. */
const LIMITS: Limits = { max_threads: 1, max_memory_usage: '1500000000', max_execution_time: 25 };

type Params = Readonly<Record<string, unknown>>;

const command = (name: string) => {
  const text = readQuery('clickhouse', name);
  return (db: ClickHouse, params: Params) => db.command(text, params, LIMITS);
};
const query = <T extends Record<string, unknown>>(name: string) => {
  const text = readQuery('clickhouse', name);
  return (db: ClickHouse, params: Params = {}) => db.rows<T>(text, params, LIMITS);
};
const postgresQuery = <T extends Record<string, unknown>>(name: string) => {
  const text = readQuery('sql', name);
  return (db: Queryable, ...values: unknown[]) => db.rows<T>(text, values);
};

export const readNow = query<{ now: number }>('derived.now');
export const readArrivals = query<{ at: number; rows: number }>('derived.arrivals');
export const readArrivedMinutes = query<{ at: number; rows: number }>('derived.arrived-minutes');

export const mark = command('journeys.mark');
export const readParts = query<{ chunk: number }>('journeys.parts');
export const noteDevices = command('journeys.note-devices');
export const noteNames = command('journeys.note-names');
export const spread = command('journeys.spread');
export const countRound = query<{ rows: number }>('journeys.count-round');
export const countReinstalls = query<{ rows: number }>('journeys.count-reinstalls');
export const findHeads = command('journeys.find-heads');
export const readProjectsOfChunk = query<{ project_id: number }>('journeys.projects-of-chunk');
export const deriveJourneys = command('journeys.derive');
export const dropFormer = command('journeys.drop-former');

export const readDirtyClickDays = query<{ project_id: number; campaign_id: number; bucket: string }>(
  'click-days.dirty',
);
export const readClickBuckets = query<{ bucket: string }>('click-days.buckets');
export const deriveClickDays = command('click-days.derive');

export interface SettingsRow extends Record<string, unknown> {
  id: number;
  timezone: string;
  inactivity_days: number;
  derived_timezone: string | null;
  derived_inactivity_days: number | null;
}
export const readSettings = postgresQuery<SettingsRow>('derived.settings');
export const putSettings = postgresQuery('derived.put-settings');
export const readRunId = postgresQuery<{ run_id: number }>('derived.next-run');
