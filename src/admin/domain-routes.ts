/** Checks of tracking domains (docs/contract.md, Workspace). */
import Router from '@koa/router';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { Administrators } from '../http/administrators';
import { idOf } from '../http/ids';
import { checkDomain, type DomainResolver } from './domain-check';
import { findDomainName } from './queries';

/** `resolver` asks DNS. The service is where the request reached it. */
export function domainRoutes(postgres: Postgres, resolver: DomainResolver, admins: Administrators): Router {
  const router = new Router({ prefix: '/admin/v1/projects/:id/domains' });
  router.post('/:domain_id/check', admins.project('settings'), async (ctx) => {
    const [domain] = await findDomainName(
      postgres,
      idOf(ctx.params.id, 'Project'),
      idOf(ctx.params.domain_id, 'Domain'),
    );
    if (!domain) throw new ApiError(404, 'Domain not found.');
    ctx.body = await checkDomain(resolver, domain.name, ctx.hostname.toLowerCase().replace(/^\[|\]$/g, ''));
  });
  return router;
}
