/** Wires what an operator has to know of a process: work that lags, what is set aside, and what the disk has lost. */
import { BrokenParts } from '../db/broken-parts';
import type { ClickHouse } from '../db/clickhouse';
import type { Check, CheckResult } from '../http/readiness';
import type { Processes } from '../ingest/processes';
import type { Log } from '../lib/log';
import type { Quarantine } from '../derive/quarantine';
import type { Metrics } from '../metrics/metrics';
import { runPeriodically } from '../lib/periodic';

/** How often the log is told what has changed. */
const WATCH_MS = 10_000;
/** How often broken parts are looked for. */
const BROKEN_PARTS_MS = 3_600_000;
/** A derived table that is further behind lags. */
const MAX_LAG_SECONDS = 60;

export interface MonitoringParts {
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  readonly quarantine: Quarantine;
  /** Seconds since everything stored was taken in, by derived table. */
  readonly lags: () => readonly { name: string; seconds: number }[];
  readonly processes: Processes;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface Monitoring {
  /** What /readyz shows besides what the roles need. */
  readonly checks: readonly Check[];
  stop(): Promise<void>;
}

export function wireMonitoring(of: MonitoringParts): Monitoring {
  const { clickhouse, cluster, quarantine, lags, processes, metrics, log } = of;
  const parts = new BrokenParts(clickhouse, cluster, log);
  metrics.onBrokenParts(() => parts.count);
  metrics.onQuarantined(() => quarantine.setAsideCount);
  const warnings: Record<string, () => CheckResult> = {
    workers: () => {
      const slowest = [...lags()].sort((a, b) => b.seconds - a.seconds)[0];
      return {
        ok: (slowest?.seconds ?? 0) <= MAX_LAG_SECONDS,
        slowest: slowest?.name ?? '',
        seconds_behind: Math.round(slowest?.seconds ?? 0),
      };
    },
    quarantine: () => ({ ok: quarantine.setAsideCount === 0, set_aside: quarantine.setAsideCount }),
    ingest: () => ({ ok: processes.leftBehindCount === 0, left_behind: processes.leftBehindNames }),
    storage: () => ({ ok: parts.count === 0, broken_parts: parts.count, tables: parts.tables.join(', ') }),
  };
  const wrong = new Set<string>();
  const checkQuarantine = metrics.measured('quarantine-check', () => quarantine.refresh());
  const tasks = [
    runPeriodically(
      'Looking for broken parts',
      BROKEN_PARTS_MS,
      log,
      metrics.measured('broken-parts-check', () => parts.look()),
    ),
    runPeriodically('Watching', WATCH_MS, log, async () => {
      // Each as far as its engine answers: what one does not say must not hide what the other does.
      await Promise.allSettled([checkQuarantine(), processes.lookForLeftBehind()]);
      tellChanges(warnings, wrong, log);
    }),
  ];
  return {
    checks: Object.entries(warnings).map(([name, run]) => ({ name, required: false, warns: true, run })),
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** Tells of each warning when it comes and when it goes; `wrong` has those that were there at the last look. */
function tellChanges(warnings: Readonly<Record<string, () => CheckResult>>, wrong: Set<string>, log: Log): void {
  for (const [name, run] of Object.entries(warnings)) {
    const { ok, ...details } = run();
    if (ok === !wrong.has(name)) continue;
    if (ok) log.info(`Well again: ${name}`);
    else log.warn(`Needs a look: ${name}, ${JSON.stringify(details)}`);
    if (ok) wrong.delete(name);
    else wrong.add(name);
  }
}
