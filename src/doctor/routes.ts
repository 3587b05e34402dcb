/** `GET /admin/v1/doctor`: what an operator should know and do (docs/contract/running.md). */
import type Router from '@koa/router';
import type { Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { choice, closed, instant, list, named, Type } from '../lib/schema';
import { gatherFacts, type DoctorParts } from './facts';
import { judge, type Status } from './findings';

export interface DoctorRoutesParts extends DoctorParts {
  readonly admins: Administrators;
  readonly status: () => Promise<Status>;
}

const finding = named(
  'Finding',
  closed({
    about: Type.String(),
    state: {
      ...choice(['ok', 'warning', 'critical'], { type: 'string' }),
      description: '`warning`: it goes on, and will not for ever. `critical`: something is refused, late or lost.',
    },
    says: Type.String(),
    advice: Type.String({ description: 'What to do; empty where nothing is.' }),
  }),
);

export const doctorApi: EndpointSection<DoctorRoutesParts> = {
  tag: 'Doctor',
  description: 'What an operator should know and do.',
  operations: [
    endpoints<DoctorRoutesParts>()({
      method: 'get',
      path: '/admin/v1/doctor',
      operationId: 'askDoctor',
      summary: 'Examine the installation',
      description: 'Engines, versions, clocks, disks, broken parts, watermarks and backlogs, what is fine included.',
      auth: admin.installation,
      responses: {
        200: { description: 'The findings.', schema: closed({ at: instant, findings: list(finding) }) },
      },
      handle: async (_ctx, parts) => {
        const facts = await gatherFacts(parts);
        // It needs both engines; where one is away that is what there is to say.
        const known = await parts.status().catch(() => undefined);
        return { at: new Date(parts.now()).toISOString(), findings: judge(facts, known, parts.now()) };
      },
    }),
  ],
};

export const doctorRoutes = (parts: DoctorRoutesParts): Router => createRoutes(doctorApi, parts);
