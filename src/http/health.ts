/** Whether the process is up, whether its engines answer, and its metrics (docs/contract/running.md). */
import type Router from '@koa/router';
import type { Administrators } from './administrators';
import type { Readiness } from './readiness';
import { createRouter } from './router';

export interface Health {
  readiness(): Promise<Readiness>;
  metrics(): Promise<{ type: string; text: string }>;
}

/** Which engine answers, whether this process needs it or not. */
const pickEngines = ({ postgres, clickhouse }: Readiness['checks']) => ({
  postgres: postgres?.ok === true,
  clickhouse: clickhouse?.ok === true,
});

/** A process that can work is `degraded` while something needs an operator. */
export const judgeHealth = (ready: boolean, checks: Readiness['checks']) =>
  !ready ? 'unavailable' : Object.values(checks).some((check) => check.warns && !check.ok) ? 'degraded' : 'ready';

const withoutDetails = (checks: Readiness['checks']) =>
  Object.fromEntries(
    Object.entries(checks).map(([name, { ok, required, warns }]) => [
      name,
      { required, ...(warns ? { warns } : {}), ok },
    ]),
  );

/**
 * /healthz, /readyz and /metrics, the last for operators only. With `isPublic` the details of /readyz are for them,
 * too: others learn which check fails.
 */
export function healthRoutes(health: Health, admins: Administrators, isPublic: boolean): Router {
  const router = createRouter();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const { ready, checks } = await health.readiness();
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', '1');
    const isDetailed = !isPublic || (await admins.isByOperator(ctx));
    ctx.body = {
      status: judgeHealth(ready, checks),
      engines: pickEngines(checks),
      checks: isDetailed ? checks : withoutDetails(checks),
    };
  });
  router.get('/metrics', admins.installation, async (ctx) => {
    const { type, text } = await health.metrics();
    ctx.type = type;
    ctx.body = text;
  });
  return router;
}
