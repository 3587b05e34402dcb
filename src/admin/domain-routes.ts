/** Checks of tracking domains, and how operators confirm one (docs/contract/workspace.md). */
import type Router from '@koa/router';
import type { Postgres } from '../db/postgres';
import { readActor, type Administrators } from '../http/administrators';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import type { DomainResolver } from './domain-check';
import type { TxtResolver } from './domain-proof';
import { checkProjectDomain, confirmDomain } from './domain-service';
import { inForce } from './in-force';

/** `resolver` asks DNS. The service is reached at `host`. */
export function domainRoutes(
  postgres: Postgres,
  resolver: DomainResolver & TxtResolver,
  host: string,
  admins: Administrators,
  refresh: () => Promise<void>,
): Router {
  const router = createRouter('/admin/v1/projects/:id/domains');
  const changed = inForce(refresh);
  const read = ({ id, domain_id }: Record<string, string | undefined>) => ({
    projectId: readId(id, 'Project'),
    id: readId(domain_id, 'Domain'),
  });
  router.post('/:domain_id/check', admins.project('settings'), async (ctx) => {
    ctx.body = await changed(checkProjectDomain(postgres, resolver, readActor(ctx), read(ctx.params), host));
  });
  router.post('/:domain_id/confirm', admins.installation, async (ctx) => {
    const { projectId, id } = read(ctx.params);
    ctx.body = await changed(confirmDomain(postgres, readActor(ctx), projectId, id));
  });
  return router;
}
