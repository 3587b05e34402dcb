/** `GET /admin/v1/partners/{id}/...`: a partner's campaigns, traffic and installs (docs/contract/partners.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { administratorLimitKey, type Administrators } from '../http/administrators';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { readDayRange } from '../lib/parameters';
import { MAX_DAYS, readCampaignsInput, readCreditedInput, readTrafficInput } from './input';
import { formatInstant, presentByProject, presentCampaign, presentCredited, presentTraffic } from './presenter';
import { credited, listCampaigns, traffic, trafficByProject, type PortalOptions } from './service';

export interface PortalRouteOptions extends PortalOptions {
  readonly admins: Administrators;
  /** For what is computed as reports are: one partner must not take the others' places. */
  readonly limiter: RateLimiterAbstract | undefined;
}

export function partnerPortalRoutes({ admins, limiter, ...options }: PortalRouteOptions): Router {
  const guard = admins.partner('partner');
  const router = createRouter('/admin/v1/partners/:id');
  router.get('/campaigns', guard, async (ctx) => {
    const input = readCampaignsInput(readQueryString(ctx));
    const { campaigns, pagination } = await listCampaigns(options, readId(ctx.params.id, 'Partner'), input);
    ctx.body = { campaigns: campaigns.map(presentCampaign), pagination };
  });
  router.get('/traffic', guard, async (ctx) => {
    const input = readTrafficInput(readQueryString(ctx));
    const id = readId(ctx.params.id, 'Partner');
    const figures = await withRateLimit(limiter, administratorLimitKey(ctx), () => traffic(options, id, input));
    ctx.body = presentTraffic(input, figures);
  });
  router.get('/traffic/projects', guard, async (ctx) => {
    const range = readDayRange(readQueryString(ctx), MAX_DAYS.day);
    const id = readId(ctx.params.id, 'Partner');
    const found = await withRateLimit(limiter, administratorLimitKey(ctx), () => trafficByProject(options, id, range));
    ctx.body = presentByProject(range, found.projects, found.traffic);
  });
  router.get('/credited', guard, async (ctx) => {
    const input = readCreditedInput(readQueryString(ctx));
    const id = readId(ctx.params.id, 'Partner');
    const { installs, completeUntil } = await withRateLimit(limiter, administratorLimitKey(ctx), () =>
      credited(options, id, input),
    );
    ctx.body = { installs: installs.map(presentCredited), complete_until: formatInstant(completeUntil) };
  });
  return router;
}
