/** The campaign endpoints over HTTP (docs/contract/campaigns.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { caller, readCaller, type Access } from '../http/auth';
import { jsonBody } from '../http/body';
import { idempotent } from '../http/idempotency';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import type { AttributedUsers } from '../configuration/attributed-users';
import { errors } from './errors';
import { readCreateInput, readEditInput, readListInput } from './input';
import { createCampaign, deleteCampaign, editCampaign, listCampaigns } from './service';

export interface CampaignsOptions {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly attributedUsers: AttributedUsers;
  /** Limits by key: of data endpoints and of management. */
  readonly data: RateLimiterAbstract | undefined;
  readonly management: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

/** In order: the key, the parameters, the limit of the key, then the work (docs/contract/main-api.md). */
export function campaignRoutes({ postgres, access, attributedUsers, data, management, now }: CampaignsOptions): Router {
  const { snapshot } = access;
  const router = createRouter('/api/v1');
  const body = jsonBody('100kb');
  const reader = caller(access, 'reports');
  const manager = caller(access, 'links', { missing: 'Server key missing!', invalid: 'Server key invalid!' });
  /** Does the work of a change, and waits until this process knows of it. */
  const managed = <T>(key: string, work: () => Promise<T>) =>
    withRateLimit(management, key, async () => {
      const result = await work();
      await snapshot.refresh();
      return result;
    });

  router.get('/campaigns', reader, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readListInput(readQueryString(ctx));
    const { campaigns, pagination } = await withRateLimit(data, key, () =>
      listCampaigns(postgres, snapshot, attributedUsers, project, input),
    );
    const msg = `${campaigns.length} campaigns retrieved, page ${pagination.page} of ${pagination.pages}.`;
    ctx.body = { msg, status: 200, data: { total_campaigns: pagination.total, campaigns, pagination } };
  });
  router.post('/create-campaign', manager, body, idempotent(postgres, now), async (ctx) => {
    const manager = readCaller(ctx);
    const input = readCreateInput(ctx.request.body as Record<string, unknown>);
    const created = await managed(manager.key, () => createCampaign(postgres, snapshot, manager, input));
    ctx.status = 201;
    ctx.body = { msg: 'Campaign created successfully.', status: 201, data: created };
  });
  router.patch('/campaigns/:display_id', manager, body, async (ctx) => {
    const manager = readCaller(ctx);
    const input = readEditInput(ctx.request.body as Record<string, unknown>);
    const edited = await managed(manager.key, () =>
      editCampaign(postgres, attributedUsers, manager, ctx.params.display_id as string, input),
    );
    ctx.body = { msg: 'Campaign updated successfully.', status: 200, data: edited };
  });
  router.delete('/campaigns/:display_id', manager, async (ctx) => {
    const manager = readCaller(ctx);
    await managed(manager.key, () => deleteCampaign(postgres, manager, ctx.params.display_id as string));
    ctx.status = 204;
  });
  for (const method of ['patch', 'delete'] as const) {
    router[method]('/campaigns', manager, () => {
      throw errors.displayIdRequired();
    });
  }
  return router;
}
