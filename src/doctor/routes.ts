/** `GET /admin/v1/doctor`: what an operator should know and do (docs/contract/running.md). */
import type Router from '@koa/router';
import type { Administrators } from '../http/administrators';
import { createRouter } from '../http/router';
import { gatherFacts, type DoctorParts } from './facts';
import { judge, type Status } from './findings';

export function doctorRoutes(parts: DoctorParts, status: () => Promise<Status>, admins: Administrators): Router {
  const router = createRouter('/admin/v1/doctor');
  router.get('/', admins.installation, async (ctx) => {
    const facts = await gatherFacts(parts);
    // It needs both engines; where one is away that is what there is to say.
    const known = await status().catch(() => undefined);
    ctx.body = { at: new Date(parts.now()).toISOString(), findings: judge(facts, known, parts.now()) };
  });
  return router;
}
