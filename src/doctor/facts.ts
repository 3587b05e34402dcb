/** What `adtrail doctor` looks at. An engine that does not answer leaves its facts undefined. */
import fs from 'node:fs';
import path from 'node:path';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readUnreadable, type Unreadable } from '../db/sealed-columns';
import { REJECTED } from '../ingest/log/segment';
import type { Seals } from '../lib/seal';
import * as queries from './queries';

/** Merges do not keep up with this many parts of a partition, and a change of rows is not to take this long. */
const MANY_PARTS = 300;
const LONG_MUTATION_SECONDS = 600;
/** Messages that have waited for so long are more than a pause of their receiver. */
const LONG_WAIT_SECONDS = 3_600;

export interface DoctorParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  /** Undefined without Redis. */
  readonly pingRedis: (() => Promise<unknown>) | undefined;
  readonly dataDir: string;
  readonly logs: string;
  readonly version: string;
  readonly seals: Seals;
  readonly now: () => number;
}

/** A clock of an engine, against that of this process: it is ahead by so much, give or take so much. */
export interface Clock {
  readonly aheadMs: number;
  readonly uncertainMs: number;
}

export interface Disk {
  readonly name: string;
  readonly free: number;
  readonly total: number;
}

export interface Facts {
  readonly adtrail: string;
  readonly node: string;
  readonly postgres: (queries.PostgresServer & Clock) | undefined;
  /** The nodes that answer: one, or those of a cluster. */
  readonly clickhouse: readonly ({ readonly node: string; readonly version: string } & Clock)[];
  /** How many nodes should. */
  readonly nodes: number;
  /** Undefined without Redis. */
  readonly redisAnswers: boolean | undefined;
  readonly disks: readonly Disk[];
  readonly brokenParts: readonly { readonly table: string; readonly parts: number; readonly names: string }[];
  readonly manyParts: readonly { readonly table: string; readonly parts: number }[];
  readonly longMutations: readonly { readonly table: string; readonly mutations: number; readonly reason: string }[];
  readonly waitingMessages: readonly { readonly host: string; readonly messages: number; readonly seconds: number }[];
  /** What the key of this process does not open; undefined where it is not known. */
  readonly unreadable: readonly Unreadable[] | undefined;
  /** Files of rows that ClickHouse refused for good. */
  readonly rejectedFiles: number;
}

export async function gatherFacts(parts: DoctorParts): Promise<Facts> {
  const { postgres, clickhouse, cluster, pingRedis, dataDir, logs, now } = parts;
  const none = <T>(rows: Promise<T[]>) => rows.catch((): T[] => []);
  const timed = async <T extends { readonly clock: number }>(ask: () => Promise<T[]>): Promise<(T & Clock)[]> => {
    const before = now();
    const rows = await none(ask());
    const [middle, uncertainMs] = [(before + now()) / 2, (now() - before) / 2];
    return rows.map((row) => ({ ...row, aheadMs: row.clock - middle, uncertainMs }));
  };
  const servers = await timed(() => queries.readServers(clickhouse, cluster));
  const disks = await none(queries.readDisks(clickhouse, cluster));
  return {
    adtrail: parts.version,
    node: process.versions.node,
    postgres: (await timed(() => queries.readPostgres(postgres)))[0],
    clickhouse: servers,
    nodes: cluster === undefined ? 1 : await queries.countNodes(clickhouse, cluster).catch(() => servers.length),
    redisAnswers: await pingRedis?.().then(
      () => true,
      () => false,
    ),
    disks: [
      ...(await Promise.all([readDisk('DATA_DIR', dataDir), readDisk('INGEST_LOG_DIR', logs)])).flat(),
      ...disks.map(({ node, name, free, total }) => ({
        name: `${formatNodeName(node, servers)}, ${name}`,
        free,
        total,
      })),
    ],
    brokenParts: await none(queries.readBrokenParts(clickhouse, cluster)),
    manyParts: await none(queries.readParts(clickhouse, cluster, { parts: MANY_PARTS })),
    longMutations: await none(queries.readMutations(clickhouse, cluster, { seconds: LONG_MUTATION_SECONDS })),
    waitingMessages: await none(queries.readWaitingMessages(postgres, LONG_WAIT_SECONDS)),
    unreadable: await readUnreadable(postgres, parts.seals).catch(() => undefined),
    rejectedFiles: (await fs.promises.readdir(path.join(logs, REJECTED)).catch(() => [])).length,
  };
}

/** What a node is called: by its name where there are several. */
export const formatNodeName = (node: string, nodes: Facts['clickhouse']) =>
  nodes.length > 1 ? `ClickHouse on ${node}` : 'ClickHouse';

/** The disk that a folder is on; none for a folder that is not there. */
async function readDisk(name: string, folder: string): Promise<Disk[]> {
  const space = await fs.promises.statfs(folder).catch(() => undefined);
  return space ? [{ name, free: space.bavail * space.bsize, total: space.blocks * space.bsize }] : [];
}
