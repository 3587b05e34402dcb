/** The doctor: the section of the OpenAPI document. */
import { errorReply, type ApiSection } from '../openapi/operation';
import { closed, instant, list, named, choice, Type } from '../lib/schema';

const finding = named(
  'Finding',
  closed({
    about: Type.String(),
    state: {
      ...choice(['well', 'look', 'wrong'], { type: 'string' }),
      description: '`look`: it goes on, and will not for ever. `wrong`: something is refused, late or lost.',
    },
    says: Type.String(),
    advice: Type.String({ description: 'What to do; empty where nothing is.' }),
  }),
);

export const doctorApi: ApiSection = {
  tag: 'Doctor',
  description: 'What an operator should know and do.',
  operations: [
    {
      method: 'get',
      path: '/admin/v1/doctor',
      operationId: 'askDoctor',
      summary: 'Examine the installation',
      description: 'Engines, versions, clocks, disks, broken parts, watermarks and backlogs, what is well included.',
      security: ['adminToken'],
      responses: {
        200: { description: 'The findings.', schema: closed({ at: instant, findings: list(finding) }) },
        401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
      },
    },
  ],
};
