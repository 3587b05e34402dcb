/** Whether the process is up, whether its engines answer, and its metrics (docs/contract.md, Running). */
import Router from '@koa/router';
import type { Middleware } from 'koa';

export interface Health {
  /** Asks each engine; true where it answered. */
  engines(): Promise<Record<string, boolean>>;
  metrics(): Promise<{ type: string; text: string }>;
}

/** /healthz, /readyz and /metrics, the last for administrators only. */
export function healthRoutes(health: Health, requireAdmin: Middleware): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const engines = await health.engines();
    const ready = Object.values(engines).every(Boolean);
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', '1');
    ctx.body = { status: ready ? 'ready' : 'unavailable', engines };
  });
  router.get('/metrics', requireAdmin, async (ctx) => {
    const { type, text } = await health.metrics();
    ctx.type = type;
    ctx.body = text;
  });
  return router;
}
