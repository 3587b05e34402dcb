/** Keys of a project, and its users of ClickHouse (docs/contract/workspace.md). */
import type Router from '@koa/router';
import { KEY_KINDS } from '../configuration/queries';
import { configurationJson, listOfProject, putInForce, type AdministrationParts } from '../http/administration';
import { readActor } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readId, readProjectId } from '../http/ids';
import { choice, closed, instant, named, nullable, optional, Type } from '../lib/schema';
import { ADMINISTRATION, answer, badBody, idParameter, missing, projectId } from '../openapi/administration';
import { readerOperations, type ReadersParts } from './reader-routes';
import { readKeys } from './queries';
import { createKey, renameKey, revokeKey } from './service';

export interface KeysParts extends AdministrationParts, ReadersParts {}

const operation = endpoints<KeysParts>();

const id = Type.Integer({ minimum: 1 });
const kind = choice(KEY_KINDS, { type: 'string' });
const key = named(
  'ProjectKey',
  closed({
    id,
    kind,
    name: nullable(Type.String()),
    prefix: { ...nullable(Type.String()), description: 'How it begins; null of one that the service did not make.' },
    created_at: instant,
    last_used_at: { ...nullable(instant), description: 'To a minute; null before its first use.' },
    revoked_at: nullable(instant),
  }),
);
const createdKey = named(
  'CreatedKey',
  closed({
    id,
    kind,
    name: nullable(Type.String()),
    prefix: Type.String(),
    key: Type.String({ description: 'Shown this once.' }),
  }),
);
const givenName = nullable(Type.String({ maxLength: 100, description: 'What people call it.' }));

export const keysApi: EndpointSection<KeysParts> = {
  ...ADMINISTRATION,
  operations: [
    listOfProject('keys', key, readKeys, 'keys'),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/keys',
      operationId: 'createKey',
      summary: 'Create a key',
      description: 'A server, app or web key beside those that the project has.',
      auth: admin.project('keys'),
      idempotent: true,
      parameters: [projectId],
      body: configurationJson(closed({ kind, ...optional({ name: givenName }) }), { kind: 'server_key', name: 'CRM' }),
      responses: { 201: answer('The key.', createdKey), 400: badBody, 404: missing('Project') },
      handle: (ctx, parts, { readBody }) =>
        putInForce(parts, createKey(parts.postgres, readActor(ctx), readProjectId(ctx), readBody())),
    }),
    operation({
      method: 'put',
      path: '/admin/v1/projects/{id}/keys/{key_id}',
      operationId: 'renameKey',
      summary: 'Name a key',
      description: 'What people call it; null or empty takes the name away. The key itself stays.',
      auth: admin.project('keys'),
      parameters: [projectId, idParameter('key', 'key_id')],
      body: configurationJson(closed({ name: givenName }), { name: 'CRM' }),
      responses: { 200: answer('The key.', key), 400: badBody, 404: missing('Key') },
      handle: (ctx, parts, { readBody }) => {
        const [project, key] = [readProjectId(ctx), readId(ctx.params.key_id, 'Key')];
        return putInForce(parts, renameKey(parts.postgres, readActor(ctx), project, key, readBody().name));
      },
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/keys/{key_id}',
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: 'At once and for good.',
      auth: admin.project('keys'),
      parameters: [projectId, idParameter('key', 'key_id')],
      responses: { 204: { description: 'It is revoked.' }, 404: missing('Key') },
      handle: (ctx, parts) => {
        const [project, key] = [readProjectId(ctx), readId(ctx.params.key_id, 'Key')];
        return putInForce(parts, revokeKey(parts.postgres, readActor(ctx), project, key));
      },
    }),
    ...readerOperations,
  ],
};

export const keyRoutes = (parts: KeysParts): Router => createRoutes(keysApi, parts);
