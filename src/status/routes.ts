/** How the installation is: its status, its processes and what is set aside (docs/contract/running.md). */
import type Router from '@koa/router';
import { accountsWith } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { answer } from '../openapi/administration';
import { ingestApi, type IngestParts } from './ingest-routes';
import { quarantineApi, type QuarantineParts } from './quarantine-routes';
import { readProjects } from './queries';
import { statusSchema } from './schema';
import { readStatus, type StatusParts } from './status';

type Parts = StatusParts & IngestParts & QuarantineParts;

export const statusApi: EndpointSection<Parts> = {
  tag: 'Status',
  description: 'How the installation is.',
  operations: [
    endpoints<Parts>()({
      method: 'get',
      path: '/admin/v1/status',
      operationId: 'getStatus',
      summary: 'Status of ingest, decisions and derived tables',
      description:
        'What `/readyz`, `/metrics` and the ingest log know, for people: of the whole installation for operators, ' +
        'else of the projects of the person, and nothing of the machines.',
      auth: admin.anywhere('status'),
      responses: { 200: answer('How it is now.', statusSchema) },
      handle: async (ctx, parts) => {
        const accounts = accountsWith(ctx, 'status');
        const projects = accounts && (await readProjects(parts.postgres, accounts)).map(({ id }) => id);
        return readStatus(parts, projects);
      },
    }),
  ],
};

/** All three chapters. */
export const statusRoutes = (parts: Parts): Router =>
  createRoutes({ operations: [...quarantineApi.operations, ...ingestApi.operations, ...statusApi.operations] }, parts);
