/** Erases persons: hides everything of them within a minute, and sees to it that nothing stays on disk. */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { LOCKS, withLock } from '../db/advisory-lock';
import * as queries from './queries';

export interface ErasureOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly cluster: string | undefined;
  readonly now: () => number;
}

/**
 * One run: starts what is requested, notes what has become hidden, and what has left the disk. Where there is
 * anything to do, it waits for the attribution worker and then excludes it: nothing is derived from a record that is
 * being erased.
 */
export function createErasure(options: ErasureOptions): () => Promise<void> {
  // Requests whose changes run; when the process dies, another starts them again.
  const started = new Set<number>();
  return async () => {
    if ((await queries.readRequestsUnderWay(options.postgres)).length > 0)
      await withLock(options.postgres, LOCKS.attribution, () => run(options, started));
  };
}

async function run({ postgres, clickhouse, cluster, now }: ErasureOptions, started: Set<number>): Promise<void> {
  const requests = await queries.readRequestsUnderWay(postgres);
  for (const request of requests.filter((one) => one.value !== null && !started.has(one.id))) {
    const person = await find(clickhouse, request);
    await queries.erase(clickhouse, cluster, person);
    started.add(request.id);
  }
  const visible = requests.filter((one) => one.hidden_at === null);
  if (visible.length > 0 && (await queries.countUnfinished(clickhouse)) === 0) {
    for (const { id } of visible) await queries.setHidden(postgres, id, now());
  }
  const hidden = requests.filter((one) => one.hidden_at !== null);
  if (hidden.length === 0) return;
  const latest = Math.max(...hidden.map((one) => (one.hidden_at as Date).getTime()));
  if ((await queries.countLeftovers(clickhouse, latest)) === 0)
    await queries.setRemoved(
      postgres,
      hidden.map((one) => one.id),
      now(),
    );
}

async function find(
  clickhouse: ClickHouse,
  { project_id: project, kind, value }: queries.Request,
): Promise<queries.Person> {
  const known = await queries.readInstalls(clickhouse, project, kind, value as string);
  const installs = known.map((row) => row.install_id);
  const devices = [
    ...new Set([
      ...(await queries.readDevices(clickhouse, project, installs)),
      ...(kind === 'user' ? [] : [value as string]),
    ]),
  ];
  const credited = known.flatMap((row) => row.touch_id ?? []);
  const visitors = kind === 'user' ? await queries.readVisitors(clickhouse, project, value as string) : [];
  return {
    project,
    installs,
    devices,
    visitors,
    touches: [...new Set([...credited, ...(await queries.readTouches(clickhouse, project, devices))])],
  };
}
