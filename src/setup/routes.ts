/** How far a project is set up (docs/contract/workspace.md). */
import type Router from '@koa/router';
import type { Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readProjectId } from '../http/ids';
import { choice, closed, instant, list, named, Type } from '../lib/schema';
import { ADMINISTRATION, answer, missing, projectId } from '../openapi/administration';
import { readSetup, STEPS, type SetupParts } from './service';

type Parts = SetupParts & { readonly admins: Administrators };

const refused = closed({
  source: choice(['app', 'web', 'spend', 's2s'], { type: 'string', description: 'Where it was sent.' }),
  reason: Type.String({ description: 'As the answer gave it.' }),
  field: Type.String({ description: 'The field, or empty; of S2S the endpoint.' }),
  refused: Type.Integer({ minimum: 1 }),
  last_at: { ...instant, description: 'The minute in which it came last; of S2S the hour.' },
});
const setupSchema = named(
  'Setup',
  closed({
    steps: list(closed({ step: choice(STEPS, { type: 'string' }), done: Type.Boolean() })),
    refused_since: instant,
    refused: list(refused),
  }),
);

export const setupApi: EndpointSection<Parts> = {
  ...ADMINISTRATION,
  operations: [
    endpoints<Parts>()({
      method: 'get',
      path: '/admin/v1/projects/{id}/setup',
      operationId: 'getSetup',
      summary: 'How far a project is set up',
      description:
        'Which steps are done (an app, a proven domain, a key, and whether an event, a click and spend have come), ' +
        'and what was refused in the last hour, by reason.',
      auth: admin.project('reports'),
      parameters: [projectId],
      responses: { 200: answer('The steps, and what was refused.', setupSchema), 404: missing('Project') },
      handle: (ctx, parts) => readSetup(parts, readProjectId(ctx)),
    }),
  ],
};

export const setupRoutes = (parts: Parts): Router => createRoutes(setupApi, parts);
