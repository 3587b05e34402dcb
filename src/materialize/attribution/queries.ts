/** The queries behind a decision, one function per file of clickhouse/queries. */
import type { ClickHouse, Limits } from '../../db/clickhouse';
import { renderForCluster } from '../../db/cluster-ddl';
import { readQuery } from '../../db/sql';
import { query } from '../queries';

const sql = (name: string) => readQuery('clickhouse', `attribution.${name}`);
const texts = {
  takeBatch: sql('take-batch'),
  match: sql('match'),
  findCandidates: sql('find-candidates'),
  findReinstalls: sql('find-reinstalls'),
  decide: sql('decide'),
};

/** What one statement may take: one that takes more is tried on fewer installs. */
const LIMITS: Limits = { max_threads: 1, max_memory_usage: '1500000000', max_execution_time: 20 };
/** Of one identifier the latest so many touches of a kind before an install are its candidates. */
export const MAX_TOUCHES = 10_000;

/** Every statement that decides installs carries this tag: one that outlives its process can be recognised. */
const DECIDE_TAG = 'adtrail: decide installs';

export interface BatchOptions extends Readonly<Record<string, unknown>> {
  readonly run_id: number;
  /** Installs put into the queue from then on, in milliseconds. */
  readonly from: number;
  /** Installs received up to then, in milliseconds. */
  readonly settled: number;
  readonly limit: number;
}
/** A campaign of an ad network: its project, network, ID at the network and name. */
export type NamedCampaign = readonly [projectId: number, network: string, networkCampaignId: string, name: string];

export const takeBatch = (db: ClickHouse, options: BatchOptions) => db.command(texts.takeBatch, options);

const batch = query<{ installs: number; named: NamedCampaign[] }>('attribution.batch');
/** How many installs a run decides, and the campaigns of ad networks that they name themselves. */
export const readBatch = async (db: ClickHouse, runId: number) =>
  (await batch(db, { run_id: runId }))[0] ?? { installs: 0, named: [] };

const installsOf = query<{ project_id: number; entity: string }>('attribution.installs-of-batch');
/** The installs of a run. */
export const readInstalls = (db: ClickHouse, runId: number) => installsOf(db, { run_id: runId });

const unsettled = query<{ installs: number }>('attribution.unsettled');
/** How many install events put into the queue from `from` on were received after `settled`, in milliseconds. */
export const countUnsettled = async (db: ClickHouse, from: number, settled: number) =>
  (await unsettled(db, { from, settled }))[0]?.installs ?? 0;

const decidedDays = query<{ day: string }>('attribution.decided-days');
/** Days of the queue before that of `before`, in milliseconds, as their partitions are named. */
export const readDecidedDays = async (db: ClickHouse, before: number) =>
  (await decidedDays(db, { before })).map(({ day }) => day);

const ON_EVERY_SHARD = '-- cluster: shard by install_id';

/** Drops days of the queue, on every node. */
export async function dropDays(db: ClickHouse, cluster: string | undefined, days: readonly string[]): Promise<void> {
  for (const day of days) {
    const drop = `${ON_EVERY_SHARD}\nALTER TABLE adtrail.install_queue\n  DROP PARTITION ID '${Number(day)}'`;
    for (const statement of cluster ? renderForCluster(drop, cluster) : [drop]) await db.command(statement);
  }
}

const deciding = query<{ statements: number }>('attribution.deciding');
/** Whether a statement that decides installs is running. */
export const isDeciding = async (db: ClickHouse) => (await deciding(db, { tag: DECIDE_TAG }))[0]?.statements !== 0;

/** Finds what the decision about the installs of a run rests on. Touches are read first, and once. */
export async function prepare(db: ClickHouse, runId: number): Promise<void> {
  const run = (text: string) => db.command(text, { run_id: runId, max_touches: MAX_TOUCHES }, LIMITS);
  await Promise.all([run(texts.match), run(texts.findReinstalls)]);
  await run(texts.findCandidates);
}

/** Decides the installs of a run that is prepared. */
export const decide = (db: ClickHouse, runId: number) =>
  db.command(texts.decide, { run_id: runId }, { ...LIMITS, log_comment: DECIDE_TAG });
