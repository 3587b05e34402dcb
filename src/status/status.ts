/** How the installation is: its processes, what waits, how far the derived tables are (docs/contract/running.md). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import type { Readiness } from '../http/readiness';
import type { Processes } from '../ingest/processes';
import type { Quarantine } from '../derive/quarantine';
import { FACT_TABLES } from '../tables/derivations';
import { presentProcess } from './ingest-presenter';
import type { ExportsStatus } from './schema';
import { countStoredSince, countUndecided, readWatermarks, type WatermarkRow, type Within } from './queries';

export interface StatusParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly processes: Pick<Processes, 'list'>;
  readonly quarantine: Pick<Quarantine, 'counts'>;
  readonly readiness: () => Promise<Readiness>;
  /** Seconds since everything stored was taken in, by derived table, as this process knows it. */
  readonly lags: () => readonly { readonly name: string; readonly seconds: number }[];
  /** How scheduled exports are doing: those of some projects, or all. */
  readonly exports: (projects?: readonly number[]) => Promise<ExportsStatus>;
  readonly now: () => number;
}

/**
 * How the installation is. With `projects` what waits is counted in these alone, and nothing is said of the machines:
 * they are everybody's.
 */
export async function readStatus(parts: StatusParts, projects?: readonly number[]) {
  const { postgres, clickhouse, processes, quarantine, readiness, exports, now } = parts;
  const isWhole = projects === undefined;
  const within: Within = { of_all: isWhole, projects: projects ?? [] };
  const [{ ready, checks }, listed, watermarks, undecided, setAside, exported] = await Promise.all([
    readiness(),
    isWhole ? processes.list() : [],
    readWatermarks(postgres),
    countUndecided(clickhouse, within),
    quarantine.counts(projects),
    exports(projects),
  ]);
  return {
    at: new Date(now()).toISOString(),
    ready,
    checks: Object.entries(checks).map(([name, { ok, required, warns, ...details }]) => ({
      name,
      ok,
      required,
      needs_a_look: !ok && warns === true,
      details: isWhole ? details : {},
    })),
    ingest: { processes: listed.map(presentProcess) },
    decisions: { undecided: undecided?.installs ?? 0, oldest_received_at: undecided?.oldest ?? null },
    derived_tables: await Promise.all(watermarks.map((row) => describeTable(parts, row, within))),
    quarantine: setAside,
    exports: exported,
  };
}

/** A process tells seldom how far it is while nothing is stored: what it knows itself may be later. */
async function describeTable(
  { clickhouse, lags, now }: StatusParts,
  { name, watermark, settled, sources }: WatermarkRow,
  within: Within,
) {
  const own = lags().find((one) => one.name === name);
  const latest = Math.max(watermark, own ? now() - own.seconds * 1_000 : 0);
  const backlog = await Promise.all(
    FACT_TABLES.filter((table) => sources.includes(table)).map(async (table) => ({
      table,
      rows: await countStoredSince(clickhouse, table, Math.floor(latest), within),
    })),
  );
  return {
    name,
    watermark: new Date(latest).toISOString(),
    complete_until: settled > 0 ? new Date(settled).toISOString() : null,
    lag_seconds: Math.max(0, Math.round((now() - latest) / 100) / 10),
    backlog,
  };
}
