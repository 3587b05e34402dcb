/**
 * Wires what /readyz asks. The API and attribution need their engines; what takes records needs a fresh configuration
 * and an ingest log that can be written; all need space on the disk. What is not needed is shown.
 */
import { statfs } from 'node:fs/promises';
import type { Config } from '../config';
import type { ProcessRole } from '../lib/process-roles';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { createReadiness, type Check, type Readiness } from '../http/readiness';
import type { WriteHealth } from '../ingest/write-health';

/** With less free space than this the engines stop storing soon. */
const MIN_FREE_MB = 100;

export interface ReadinessParts {
  readonly config: Pick<Config, 'roles' | 'dataDir'>;
  /** Connections for this alone: a check neither waits for the work nor makes it wait. */
  readonly postgres: Pick<Postgres, 'rows'>;
  readonly clickhouse: Pick<ClickHouse, 'rows'>;
  readonly snapshot: Pick<ConfigSnapshot, 'stale' | 'ageSeconds'>;
  readonly writes: WriteHealth;
  readonly now: () => number;
}

/** What /readyz answers by, for the roles of this process; `more` are checks of whatever else runs in it. */
export function wireReadiness(parts: ReadinessParts, more: readonly Check[] = []): () => Promise<Readiness> {
  const { config, postgres, clickhouse, snapshot, writes, now } = parts;
  const has = (...roles: ProcessRole[]) => roles.some((role) => config.roles.has(role));
  const answers = async (question: Promise<unknown>) => ({ ok: await question.then(() => true) });
  const checks: Check[] = [
    { name: 'postgres', required: has('api', 'attribution'), run: () => answers(postgres.rows('SELECT 1')) },
    {
      name: 'clickhouse',
      required: has('api', 'attribution'),
      run: () => answers(clickhouse.rows('SELECT 1')),
    },
    {
      name: 'configuration',
      required: has('s2s', 'links', 'collect'),
      run: () => ({ ok: !snapshot.stale, age_seconds: Math.round(snapshot.ageSeconds) }),
    },
    { name: 'writes', required: has('s2s', 'links', 'collect'), run: () => writes.look(now()) },
    { name: 'disk', required: true, run: () => diskSpace(config.dataDir) },
  ];
  return createReadiness([...checks, ...more], now);
}

/** A process whose engines are elsewhere may have no folder, and then needs no space. */
export async function diskSpace(folder: string, look = statfs): Promise<{ ok: boolean; free_mb: number | null }> {
  try {
    const { bavail, bsize } = await look(folder);
    const free = Math.floor((bavail * bsize) / 1_000_000);
    return { ok: free >= MIN_FREE_MB, free_mb: free };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ok: true, free_mb: null };
    throw error;
  }
}
