/** ClickHouse users that see one project, for operators and roles with `connections` (docs/contract/workspace.md). */
import type { Postgres } from '../db/postgres';
import { readActor, type Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { endpoints } from '../http/endpoint';
import { readProjectId } from '../http/ids';
import { closed, instant, list, named, nullable, Type } from '../lib/schema';
import { answer, missing, projectId } from '../openapi/administration';
import { errorReply, pathParameter } from '../openapi/operation';
import type { ProjectReaders } from './readers';

export interface ReadersParts {
  readonly postgres: Postgres;
  readonly admins: Administrators;
  readonly readers: ProjectReaders;
  readonly now: () => number;
}

const operation = endpoints<ReadersParts>();

const path = '/admin/v1/projects/{id}/readers';
const auth = admin.project('connections');
const noUsers = errorReply(
  409,
  'ClickHouse does not let the service make users.',
  'ClickHouse does not let the service make users.',
);

const readersSchema = named(
  'Readers',
  closed({
    address: Type.String({ description: "ClickHouse's HTTP interface, as the service reaches it." }),
    embedded: Type.Boolean({
      description: 'Whether it is the embedded one, which listens on the loopback address only.',
    }),
    readers: list(
      closed({
        user: Type.String(),
        created_at: { ...nullable(instant), description: 'Null where a ClickHouse server does not tell.' },
      }),
    ),
  }),
);
const createdReader = named(
  'CreatedReader',
  closed({
    user: Type.String({ description: 'Its name in ClickHouse.' }),
    password: Type.String({ description: 'Shown this once.' }),
  }),
);

export const readerOperations = [
  operation({
    method: 'get',
    path,
    operationId: 'listReaders',
    summary: 'List the ClickHouse users of a project',
    description: 'Where ClickHouse is, and the users that see this project only.',
    auth,
    parameters: [projectId],
    responses: { 200: answer('Address and users.', readersSchema), 404: missing('Project'), 409: noUsers },
    handle: (ctx, { readers }) => readers.list(readProjectId(ctx)),
  }),
  operation({
    method: 'post',
    path,
    operationId: 'createReader',
    summary: 'Create a ClickHouse user of a project',
    description:
      'A user of ClickHouse that reads the views of `analytics`, of this project only. Its password is shown this ' +
      'once.',
    auth,
    idempotent: true,
    parameters: [projectId],
    responses: { 201: answer('The user.', createdReader), 404: missing('Project'), 409: noUsers },
    handle: (ctx, { readers }) => readers.create(readActor(ctx), readProjectId(ctx)),
  }),
  operation({
    method: 'delete',
    path: `${path}/{user}`,
    operationId: 'revokeReader',
    summary: 'Revoke a ClickHouse user of a project',
    description: 'At once and for good.',
    auth,
    parameters: [
      projectId,
      pathParameter('user', 'The name that its creation told.', Type.String({ minLength: 1 }), 'reader_1_0a1b2c3d'),
    ],
    responses: { 204: { description: 'It is revoked.' }, 404: missing('Reader'), 409: noUsers },
    handle: (ctx, { readers }) => readers.revoke(readActor(ctx), readProjectId(ctx), ctx.params.user),
  }),
];
