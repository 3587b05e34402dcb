/** Tracking domains of a project, and how they are checked and confirmed (docs/contract/workspace.md). */
import type Router from '@koa/router';
import { listOfProject, putInForce, type AdministrationParts } from '../http/administration';
import { readActor } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection, type PathContext } from '../http/endpoint';
import { readId, readProjectId } from '../http/ids';
import { ADMINISTRATION, answer, idParameter, missing, projectId } from '../openapi/administration';
import { errorReply, pathParameter } from '../openapi/operation';
import { checkSchema, domainSchema } from './schema';
import { checkProjectDomain, confirmDomain, deleteDomain, readDomains, type Looking } from './service';

export interface DomainsParts extends AdministrationParts {
  readonly looking: Looking;
}

const operation = endpoints<DomainsParts>();

const readIds = (ctx: PathContext<'id' | 'domain_id'>): [project: number, domain: number] => [
  readProjectId(ctx),
  readId(ctx.params.domain_id, 'Domain'),
];
const parameters = [pathParameter('id', 'The project.'), pathParameter('domain_id', 'The domain.')];
const notFound = errorReply(404, 'The project has no such domain.', 'Domain not found.');

export const domainsApi: EndpointSection<DomainsParts> = {
  ...ADMINISTRATION,
  operations: [
    listOfProject('domains', domainSchema, readDomains),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/domains/{domain_id}/check',
      operationId: 'checkDomain',
      repeatable: true,
      summary: 'Check the DNS record of a tracking domain',
      description:
        'Whether the domain is proven and leads to the service, by name or by address, and over HTTPS; one whose ' +
        "proof is there is the project's from then on. A name that leads inside is answered like one that nobody " +
        'knows. Takes 5 seconds at most. Links of the domain say what was found.',
      auth: admin.project('settings'),
      parameters,
      responses: { 200: answer('What DNS says.', checkSchema), 404: notFound },
      handle: (ctx, parts) => {
        const { postgres, looking } = parts;
        return putInForce(parts, checkProjectDomain(postgres, looking, readActor(ctx), ...readIds(ctx)));
      },
    }),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/domains/{domain_id}/confirm',
      operationId: 'confirmDomain',
      summary: 'Confirm a tracking domain',
      description: 'Gives a pending domain to its project without a record in DNS. For operators.',
      auth: admin.installation,
      parameters,
      responses: {
        200: answer('The domain.', domainSchema),
        404: notFound,
        409: errorReply(409, 'Another project has it.', 'This domain belongs to another project.'),
      },
      handle: (ctx, parts) => putInForce(parts, confirmDomain(parts.postgres, readActor(ctx), ...readIds(ctx))),
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/domains/{domain_id}',
      operationId: 'deleteDomain',
      summary: 'Delete a tracking domain',
      description: 'Its links end at once; campaigns that had it use the primary domain.',
      auth: admin.project('settings'),
      parameters: [projectId, idParameter('domain', 'domain_id')],
      responses: {
        204: { description: 'It is deleted.' },
        404: missing('Domain'),
        409: errorReply(409, 'It is the primary one of several.', 'Make another domain the primary one first.'),
      },
      handle: (ctx, parts) => putInForce(parts, deleteDomain(parts.postgres, readActor(ctx), ...readIds(ctx))),
    }),
  ],
};

export const domainRoutes = (parts: DomainsParts): Router => createRoutes(domainsApi, parts);
