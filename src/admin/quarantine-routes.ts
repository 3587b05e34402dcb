/** What could not be derived, for operators (docs/contract/derived-tables.md). */
import type Router from '@koa/router';
import type { Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { createRouter } from '../http/router';
import { validator } from '../http/validate';
import type { Quarantine } from '../derive/quarantine';
import { MAX_QUARANTINED, quarantineChoiceSchema } from './quarantine-schema';

const parseChoice = validator(quarantineChoiceSchema);

export function quarantineRoutes(quarantine: Quarantine, admins: Administrators): Router {
  const router = createRouter('/admin/v1/quarantine');
  router.get('/', admins.installation, async (ctx) => {
    ctx.body = { quarantine: await quarantine.list(MAX_QUARANTINED) };
  });
  for (const [path, state] of [
    ['/retry', 'retry'],
    ['/dismiss', 'dismissed'],
  ] as const) {
    router.post(path, admins.installation, jsonBody('64kb'), async (ctx) => {
      await quarantine.mark(parseChoice(ctx.request.body), state);
      ctx.status = 202;
      ctx.body = { quarantine: await quarantine.list(MAX_QUARANTINED) };
    });
  }
  return router;
}
