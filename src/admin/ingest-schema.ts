/** The logs of all processes: the section of the OpenAPI document. */
import { errorReply, type ApiSection } from '../openapi/operation';
import { closed, instant, list, named, choice, Type } from '../lib/schema';

export const ingestProcess = named(
  'IngestProcess',
  closed({
    name: Type.String({ format: 'uuid', description: 'Name of the folder of its log.' }),
    host: Type.String(),
    state: {
      ...choice(['alive', 'left_behind'], { type: 'string' }),
      description: '`left_behind`: it has told nothing for `INGEST_GRACE` seconds, and no decision waits for it.',
    },
    started_at: instant,
    published_at: { ...instant, description: 'When it last told of itself.' },
    received_up_to: { ...instant, description: 'Everything that it received up to then is in ClickHouse.' },
    backlog: {
      ...list(
        closed({
          table: Type.String(),
          records: Type.Integer(),
          bytes: Type.Integer(),
          seconds: Type.Number({ description: 'Age of the oldest of them.' }),
        }),
      ),
      description: 'What waits in its log, by table.',
    },
  }),
);
const unauthorized = errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.');

export const ingestApi: ApiSection = {
  tag: 'Ingest log',
  description:
    'Every accepted record is in the log of its process first, and in ClickHouse soon after. Attribution and web ' +
    'reports wait until every process that is alive has stored what they need.',
  operations: [
    {
      method: 'get',
      path: '/admin/v1/ingest',
      operationId: 'listIngestProcesses',
      summary: 'List the processes that have a log',
      description: 'The first started first.',
      security: ['adminToken'],
      responses: {
        200: { description: 'The processes.', schema: closed({ processes: list(ingestProcess) }) },
        401: unauthorized,
      },
    },
    {
      method: 'post',
      path: '/admin/v1/catch-up',
      operationId: 'catchUp',
      summary: 'Bring the derived tables up to now',
      description:
        'Waits until everything that was accepted before the request is in the derived tables, which reports and ' +
        'views read: for jobs that read ClickHouse after they have sent records. It takes 30 seconds at most.',
      security: ['adminToken'],
      responses: {
        200: { description: 'They are complete.', schema: closed({ complete_until: instant }) },
        401: unauthorized,
        503: errorReply(
          503,
          'They could not be brought so far in 30 seconds.',
          'Derived tables are complete up to 2026-03-01T12:00:00.000Z only. Please try again.',
        ),
      },
    },
    {
      method: 'delete',
      path: '/admin/v1/ingest/{name}',
      operationId: 'forgetIngestProcess',
      summary: 'Forget a process whose log is lost',
      description:
        'For a machine that will not come back: requests to forget a person wait for the log of every process, as it ' +
        'may hold records of the person.',
      security: ['adminToken'],
      parameters: [
        {
          name: 'name',
          in: 'path',
          description: 'The process.',
          schema: Type.String({ format: 'uuid' }),
          example: '7d5e3c7e-6f0b-4c1c-9d5a-3f1f6c1f4f10',
        },
      ],
      responses: {
        204: { description: 'It is forgotten.' },
        401: unauthorized,
        404: errorReply(404, 'No such process.', 'Process not found.'),
        409: errorReply(409, 'It has told of itself within `INGEST_GRACE` seconds.', 'The process is alive.'),
      },
    },
  ],
};
