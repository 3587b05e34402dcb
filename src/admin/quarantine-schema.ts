/** What could not be derived: its form, and its section of the OpenAPI document. */
import { closed, instant, list, named, choice, optional, Type } from '../lib/schema';
import { errorReply, type ApiSection } from '../openapi/operation';

/** At most this many are listed. */
export const MAX_QUARANTINED = 1000;

const workers = choice(['attribution', 'install-journeys', 'web-visitors'], { type: 'string' });

/** What is left out means all. */
export const quarantineChoiceSchema = closed(
  optional({
    worker: workers,
    project_id: Type.Integer({ minimum: 1, maximum: 0xffffffff }),
    entity: Type.String({ minLength: 1, maxLength: 255 }),
  }),
);

const quarantined = named(
  'Quarantined',
  closed({
    worker: { ...workers, description: 'The derived table that lacks it.' },
    project_id: Type.Integer(),
    entity: Type.String({ description: 'The install or visitor.' }),
    state: choice(['set_aside', 'retry', 'dismissed'], { type: 'string' }),
    reason: Type.String({ description: 'Name and code of the error of ClickHouse.' }),
    set_aside_at: instant,
  }),
);
const listed = closed({ quarantine: list(quarantined) });
const refused = {
  400: errorReply(400, 'The body is no JSON object, or a field is invalid.', 'body: "all" is not allowed'),
  401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
};
const example = { worker: 'web-visitors', project_id: 1, entity: 'anonymous' };

export const quarantineApi: ApiSection = {
  tag: 'Quarantine',
  description:
    'Installs and visitors that could not be derived, for example because one has too many events. Everything else ' +
    'goes on; only the reports of their own project wait for them.',
  operations: [
    {
      method: 'get',
      path: '/admin/v1/quarantine',
      operationId: 'listQuarantine',
      summary: 'List what is set aside',
      description: `The first set aside first, at most ${MAX_QUARANTINED}.`,
      security: ['adminToken'],
      responses: { 200: { description: 'What is set aside.', schema: listed }, 401: refused[401] },
    },
    {
      method: 'post',
      path: '/admin/v1/quarantine/retry',
      operationId: 'retryQuarantined',
      summary: 'Try again',
      description:
        'Everything that the body names is derived again within a minute; by itself that happens every hour.',
      security: ['adminToken'],
      body: { schema: quarantineChoiceSchema, example },
      responses: { 202: { description: 'It will be tried again.', schema: listed }, ...refused },
    },
    {
      method: 'post',
      path: '/admin/v1/quarantine/dismiss',
      operationId: 'dismissQuarantined',
      summary: 'Leave out for good',
      description: 'Reports of the project answer again, without what the body names.',
      security: ['adminToken'],
      body: { schema: quarantineChoiceSchema, example },
      responses: { 202: { description: 'It is left out.', schema: listed }, ...refused },
    },
  ],
};
