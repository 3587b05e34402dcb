/** The queries behind a decision, one function per statement of clickhouse/queries. */
import type { ClickHouse, Limits } from '../../db/clickhouse';
import { renderForCluster } from '../../db/cluster-ddl';
import { readNodesQuery, readQuery } from '../../db/sql';
import { query } from '../queries';

const texts = {
  takeBatch: readQuery('clickhouse', 'attribution.take-batch'),
  cutBatch: readQuery('clickhouse', 'attribution.cut-batch'),
  match: readQuery('clickhouse', 'attribution.match'),
  findCandidates: readQuery('clickhouse', 'attribution.find-candidates'),
  findReinstalls: readQuery('clickhouse', 'attribution.find-reinstalls'),
  decide: readQuery('clickhouse', 'attribution.decide'),
};

/** What one statement may take: one that takes more is tried on fewer installs. */
const LIMITS: Limits = { max_threads: 1, max_memory_usage: '1500000000', max_execution_time: 20 };
/** At most this many touches of a kind are candidates by one identifier: the latest before an install. */
export const MAX_TOUCHES = 10_000;
/** For all installs of a run together: a run with more would keep other projects waiting. */
const MAX_CANDIDATES = 2_000_000;

/** Every statement that decides installs carries a tag: one that outlives its process can be recognised. */
const buildTag = (decider: string) => `adtrail: ${decider}`;

/** The installs of all lanes, whenever they were received, and those to be tried again. */
export const ANY_LANE = { lane: 0, lanes: 1, after: 0 };

export interface BatchOptions extends Readonly<Record<string, unknown>> {
  readonly run_id: number;
  /** Installs put into the queue from then on, in milliseconds. */
  readonly from: number;
  /** Installs received up to then, in milliseconds. */
  readonly settled: number;
  /** The lane, from 1 to `lanes`, to which the installs belong; 0 for all. */
  readonly lane: number;
  readonly lanes: number;
  /** For a lane: installs of which nothing was received up to then, in milliseconds. */
  readonly after: number;
  /** The most installs in a run, by project ID, for projects that may not have as many as others. */
  readonly project_limits: ReadonlyMap<number, number>;
}
/** A campaign of an ad network: its project, network, ID at the network and name. */
export type NamedCampaign = readonly [projectId: number, network: string, networkCampaignId: string, name: string];

export const takeBatch = (db: ClickHouse, options: BatchOptions, limit: number) =>
  db.command(texts.takeBatch, { ...options, limit });

/** Puts as many installs of a run into another as one run can decide; of some projects only, where any are named. */
export const cutBatch = (
  db: ClickHouse,
  of: { readonly run_id: number; readonly cut_id: number; readonly projects: readonly number[] },
) => db.command(texts.cutBatch, { ...of, budget: MAX_CANDIDATES, max_touches: MAX_TOUCHES }, LIMITS);

const batch = query<{ installs: number; named: NamedCampaign[]; last_received: number }>('attribution.batch');
/**
 * How many installs a run decides, the campaigns of ad networks that they name themselves, and when the last of them
 * was received, in milliseconds.
 */
export const readBatch = async (db: ClickHouse, runId: number) =>
  (await batch(db, { run_id: runId }))[0] ?? { installs: 0, named: [], last_received: 0 };

const readInstallsOfBatch = query<{ project_id: number; entity: string }>('attribution.installs-of-batch');
/** The installs of a run. */
export const readInstalls = (db: ClickHouse, runId: number) => readInstallsOfBatch(db, { run_id: runId });

const oldestOpen = query<{ open: number; oldest: number }>('attribution.oldest-open');
/**
 * How many install events put into the queue from `from` on (milliseconds) are not decided once the run is, and when
 * the first of them and of those of the run was stored.
 */
export const readOldestOpen = async (
  db: ClickHouse,
  of: { readonly run_id: number; readonly from: number; readonly settled: number },
) => (await oldestOpen(db, of))[0] ?? { open: 0, oldest: 0 };

/** Days of the queue before that of `before`, in milliseconds, as their partitions are named; those of every node. */
export async function readDecidedDays(db: ClickHouse, cluster: string | undefined, before: number): Promise<string[]> {
  const rows = await db.rows<{ day: string }>(readNodesQuery('attribution.decided-days', cluster), { before });
  return rows.map(({ day }) => day);
}

const ON_EVERY_SHARD = '-- cluster: shard by install_id';

/** Drops days of the queue, on every node. */
export async function dropDays(db: ClickHouse, cluster: string | undefined, days: readonly string[]): Promise<void> {
  for (const day of days) {
    const drop = `${ON_EVERY_SHARD}\nALTER TABLE adtrail.install_queue\n  DROP PARTITION ID '${Number(day)}'`;
    for (const statement of cluster ? renderForCluster(drop, cluster) : [drop]) await db.command(statement);
  }
}

/**
 * Whether a statement of one of these deciders is running that decides installs, on any node: the process that sent one
 * may be gone while its statement still runs.
 */
export async function isDeciding(
  db: ClickHouse,
  cluster: string | undefined,
  deciders: readonly string[],
): Promise<boolean> {
  const [row] = await db.rows<{ statements: number }>(readNodesQuery('attribution.deciding', cluster), {
    tags: deciders.map(buildTag),
  });
  return row?.statements !== 0;
}

/** Finds what the decision about the installs of a run rests on. Touches are read first, and once. */
export async function prepare(db: ClickHouse, runId: number): Promise<void> {
  const run = (text: string) => db.command(text, { run_id: runId, max_touches: MAX_TOUCHES }, LIMITS);
  await Promise.all([run(texts.match), run(texts.findReinstalls)]);
  await run(texts.findCandidates);
}

/** Decides the installs of a run that is prepared; a lane leaves those that may be credited with an impression. */
export const decide = (db: ClickHouse, decider: string, run: { readonly run_id: number; readonly lane: number }) =>
  db.command(texts.decide, run, { ...LIMITS, log_comment: buildTag(decider) });
