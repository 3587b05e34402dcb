/** What could not be derived, for operators (docs/contract/derived-tables.md). */
import type { Quarantine } from '../derive/quarantine';
import type { Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { endpoints, json, type EndpointSection } from '../http/endpoint';
import { closed, list } from '../lib/schema';
import { answer } from '../openapi/administration';
import { errorReply } from '../openapi/operation';
import { quarantineChoice, quarantined } from './schema';

export interface QuarantineParts {
  readonly admins: Administrators;
  readonly quarantine: Quarantine;
}

const operation = endpoints<QuarantineParts>();

/** At most this many are listed. */
const MAX_LISTED = 1000;

const path = '/admin/v1/quarantine';
const auth = admin.installation;
const listed = closed({ quarantine: list(quarantined) });
const readList = async ({ quarantine }: QuarantineParts) => ({ quarantine: await quarantine.list(MAX_LISTED) });

const marks = (
  [
    {
      verb: 'retry',
      state: 'retry',
      operationId: 'retryQuarantined',
      summary: 'Try again',
      description:
        'Everything that the body names is derived again within a minute; by itself that happens every hour.',
      done: 'It will be tried again.',
    },
    {
      verb: 'dismiss',
      state: 'dismissed',
      operationId: 'dismissQuarantined',
      summary: 'Leave out for good',
      description: 'Reports of the project answer again, without what the body names.',
      done: 'It is left out.',
    },
  ] as const
).map(({ verb, state, done, ...described }) =>
  operation({
    ...described,
    method: 'post',
    path: `${path}/${verb}`,
    auth,
    body: json({
      schema: quarantineChoice,
      example: { worker: 'web-visitors', project_id: 1, entity: 'anonymous' },
      limit: '64kb',
    }),
    responses: {
      202: answer(done, listed),
      400: errorReply(400, 'The body is no JSON object, or a field is invalid.', 'body: "all" is not allowed'),
    },
    handle: async (_, parts, { readBody }) => {
      await parts.quarantine.mark(readBody(), state);
      return readList(parts);
    },
  }),
);

export const quarantineApi: EndpointSection<QuarantineParts> = {
  tag: 'Quarantine',
  description:
    'Installs and visitors that could not be derived, for example because one has too many events. Everything else ' +
    'goes on; only the reports of their own project wait for them.',
  operations: [
    operation({
      method: 'get',
      path,
      operationId: 'listQuarantine',
      summary: 'List what is set aside',
      description: `The first set aside first, at most ${MAX_LISTED}.`,
      auth,
      responses: { 200: answer('What is set aside.', listed) },
      handle: (_, parts) => readList(parts),
    }),
    ...marks,
  ],
};
