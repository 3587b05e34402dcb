/** The logs of all processes, for operators (docs/contract/ingest-log.md). */
import { setTimeout as sleep } from 'node:timers/promises';
import type Router from '@koa/router';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { Administrators } from '../http/administrators';
import { createRouter } from '../http/router';
import type { Processes } from '../ingest/processes';
import { DERIVED } from '../derive/materialization';
import { presentProcess } from './ingest-presenter';
import { readWatermarks } from './queries';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** How long somebody waits for the derived tables, and how often it is looked whether they are there. */
const CATCH_UP_MS = 30_000;
const LOOK_MS = 50;

/**
 * Waits until everything that was accepted before the call is in the derived tables; resolves with the receipt time up
 * to which it is, in milliseconds.
 *
 * @throws ApiError 503 where that takes too long; it says how far they are.
 */
async function catchUp(processes: Processes, postgres: Postgres, now: () => number): Promise<number> {
  const giveUp = now() + CATCH_UP_MS;
  const reach = async (at: number, names: readonly string[]): Promise<number> => {
    await processes.askToDerive();
    const stored = await processes.waitUntil(at, giveUp - now());
    for (;;) {
      const tables = await readWatermarks(postgres);
      const settled = names.map((name) => tables.find((table) => table.name === name)?.settled ?? 0);
      const reached = Math.min(stored, ...settled);
      if (reached >= at) return reached;
      if (now() > giveUp) {
        const upTo = new Date(reached).toISOString();
        throw new ApiError(503, `Derived tables are complete up to ${upTo} only. Please try again.`, {
          'Retry-After': '2',
        });
      }
      await sleep(LOOK_MS);
    }
  };
  const at = now();
  // What is derived from decisions may have looked before they were made.
  await reach(at, ['attribution']);
  await reach(now(), DERIVED);
  return at;
}

export function ingestRoutes(
  processes: Processes,
  admins: Administrators,
  postgres: Postgres,
  now: () => number,
): Router {
  const router = createRouter('/admin/v1');
  router.post('/catch-up', admins.installation, async (ctx) => {
    ctx.body = { complete_until: new Date(await catchUp(processes, postgres, now)).toISOString() };
  });
  router.get('/ingest', admins.installation, async (ctx) => {
    ctx.body = { processes: (await processes.list()).map(presentProcess) };
  });
  router.delete('/ingest/:name', admins.installation, async (ctx) => {
    const { name = '' } = ctx.params;
    const known = UUID.test(name) ? (await processes.list()).find((one) => one.name === name) : undefined;
    if (!known) throw new ApiError(404, 'Process not found.');
    if (!known.is_left_behind) throw new ApiError(409, 'The process is alive.');
    await processes.forget(name);
    ctx.status = 204;
  });
  return router;
}
