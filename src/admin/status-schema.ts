/** How the installation is: the section of the OpenAPI document. */
import { errorReply, type ApiSection } from '../openapi/operation';
import { closed, instant, list, named, nullable, ofTypes, choice, mapTo, Type } from '../lib/schema';
import { ingestProcess } from './ingest-schema';

const count = Type.Integer({ minimum: 0 });
const detail = ofTypes<string | number | boolean | null>(['string', 'number', 'boolean', 'null']);

export const statusSchema = named(
  'Status',
  closed({
    at: instant,
    ready: Type.Boolean({ description: 'Whether the process that answers can do the work of its roles.' }),
    checks: list(
      closed({
        name: Type.String(),
        ok: Type.Boolean(),
        required: Type.Boolean(),
        needs_a_look: Type.Boolean({ description: 'It goes on, and an operator should look.' }),
        details: mapTo(detail),
      }),
      { description: 'As `/readyz` has them.' },
    ),
    ingest: closed({ processes: list(ingestProcess) }),
    decisions: closed({
      undecided: { ...count, description: 'Installs of the last three days without a decision.' },
      oldest_received_at: nullable(instant),
    }),
    derived_tables: list(
      named(
        'DerivedTable',
        closed({
          name: Type.String(),
          watermark: { ...instant, description: 'Everything stored up to then is in it.' },
          complete_until: nullable({ ...instant, description: 'Everything received up to then is in it.' }),
          lag_seconds: Type.Number({ minimum: 0, description: 'Since the watermark; up to a minute at rest.' }),
          backlog: list(closed({ table: Type.String(), rows: count }), {
            description: 'Rows of its sources that were stored since.',
          }),
        }),
      ),
    ),
    quarantine: list(
      closed({
        worker: Type.String(),
        state: choice(['set_aside', 'retry', 'dismissed'], { type: 'string' }),
        entities: count,
      }),
      { description: 'How much is set aside, by derived table.' },
    ),
  }),
);

export const statusApi: ApiSection = {
  tag: 'Status',
  description: 'How the installation is.',
  operations: [
    {
      method: 'get',
      path: '/admin/v1/status',
      operationId: 'getStatus',
      summary: 'Status of ingest, decisions and derived tables',
      description:
        'What `/readyz`, `/metrics` and the ingest log know, for people: of the whole installation for operators, ' +
        'else of the projects of the person, and nothing of the machines.',
      security: ['adminToken'],
      responses: {
        200: { description: 'How it is now.', schema: statusSchema },
        401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
      },
    },
  ],
};
