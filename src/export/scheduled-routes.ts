/** Scheduled exports of a project: how far they are, dry runs, back-fills (docs/contract/scheduled-exports.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Administrators } from '../http/administrators';
import { readCaller, type Access } from '../http/auth';
import { admin, serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { readId, readProjectId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { answer, projectId } from '../openapi/administration';
import { errorReply, pathParameter, rateLimited, reportUnavailable } from '../openapi/operation';
import * as declared from './declared';
import {
  backfillEntry,
  backfillSchema,
  changesSchema,
  declaredSchema,
  dryRunSchema,
  exportListSchema,
  exportSchema,
} from './scheduled-schema';
import * as service from './scheduled-service';

export interface ScheduledRouteParts extends service.ServiceParts {
  readonly access: Access;
  readonly admins: Administrators;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<ScheduledRouteParts>();
const auth = serviceKey('connections', { paid: true });
const id = pathParameter('id', 'The export.');
const missing = errorReply(404, 'The project has no such export.', 'Export not found.');
const EXPORT = 'Export';

const example = {
  name: 'Clicks to the lake',
  kind: 'clicks',
  format: 'parquet',
  every: 'hour',
  destination: {
    type: 's3',
    bucket: 'lake',
    prefix: 'adtrail',
    region: 'eu-central-1',
    key: 'AKIAEXAMPLE',
    secret: 'secret',
  },
} as const;
const ownId = pathParameter('id', 'The export, which the project has declared.', undefined, 2);
const body = json({ schema: declaredSchema, example, limit: '100kb' });
const badBody = errorReply(400, 'A field is wrong.', 'destination.bucket: is required');
const operatorsOnly = errorReply(
  403,
  'The installation lets no project declare any.',
  'Here only an operator declares exports.',
);
const operators = errorReply(
  409,
  'It is declared by a workspace document.',
  'An operator has declared the export, in a workspace document: it is changed there.',
);

/** In order: who asks, billing, the body, the limit, then the work. */
export const scheduledExportsApi: EndpointSection<ScheduledRouteParts> = {
  tag: 'Exports',
  description: 'Files that arrive by themselves in a bucket or a folder.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/exports',
      operationId: 'listScheduledExports',
      summary: 'List scheduled exports',
      description: 'By name, with how far each is and its last failure; never with keys.',
      auth,
      responses: { 200: { description: 'All of the project.', schema: exportListSchema }, 429: rateLimited },
      handle: (ctx, parts) => {
        const { project, key } = readCaller(ctx);
        return withRateLimit(parts.limiter, key, () => service.listExports(parts, project.id));
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/exports',
      operationId: 'createScheduledExport',
      summary: 'Declare a scheduled export',
      description:
        'Into the folder of the project, or a bucket with keys of its own, which are sealed and never shown. It is ' +
        'written from today on, or from the day `from`.',
      auth,
      body,
      responses: {
        201: { description: 'It is made.', schema: exportSchema },
        400: badBody,
        403: operatorsOnly,
        409: errorReply(409, 'Its name or place is taken, or there are too many.', 'name: another export has it'),
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const { project, key, actor } = readCaller(ctx);
        const given = readBody();
        return withRateLimit(parts.limiter, key, () => declared.createExport(parts, actor, project.id, given));
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/exports/dry-run',
      operationId: 'tryNewScheduledExport',
      summary: 'Show what an export would write that is not made yet',
      description: 'As the dry run of one that is, and whether its bucket answers. Nothing is kept or written.',
      auth,
      body,
      responses: {
        200: { description: 'What it would write.', schema: dryRunSchema },
        400: badBody,
        403: operatorsOnly,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts, { readBody }) => {
        const { project, key } = readCaller(ctx);
        const given = readBody();
        return withRateLimit(parts.limiter, key, () => declared.tryDeclared(parts, project.id, given));
      },
    }),
    operation({
      method: 'patch',
      path: '/api/v1/exports/{id}',
      operationId: 'changeScheduledExport',
      summary: 'Switch an export on or off, or give it other keys',
      description: 'What it is stays as it is. It is looked at again at once, even if it waits after a failure.',
      auth,
      parameters: [ownId],
      body: json({ schema: changesSchema, example: { enabled: false }, limit: '10kb' }),
      responses: {
        200: { description: 'The export as it is now.', schema: exportSchema },
        400: errorReply(400, 'A field is wrong.', 'keys: have no place at a folder'),
        404: missing,
        409: operators,
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const { project, key, actor } = readCaller(ctx);
        const exportId = readId(ctx.params.id, EXPORT);
        const given = readBody();
        return withRateLimit(parts.limiter, key, () =>
          declared.changeExport(parts, actor, project.id, exportId, given),
        );
      },
    }),
    operation({
      method: 'delete',
      path: '/api/v1/exports/{id}',
      operationId: 'deleteScheduledExport',
      summary: 'Remove an export',
      description: 'With its keys. The files that it has written stay where they are.',
      auth,
      parameters: [ownId],
      responses: {
        204: { description: 'It is removed.' },
        404: missing,
        409: operators,
        429: rateLimited,
        503: errorReply(
          503,
          'It is being written.',
          'It is still being written, and is switched off. Please try again.',
        ),
      },
      handle: (ctx, parts) => {
        const { project, key, actor } = readCaller(ctx);
        const exportId = readId(ctx.params.id, EXPORT);
        return withRateLimit(parts.limiter, key, () => declared.deleteExport(parts, actor, project.id, exportId));
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/exports/{id}/dry-run',
      operationId: 'tryScheduledExport',
      repeatable: true,
      summary: 'Show what an export would write now',
      description: `At most ${service.SHOWN.periods} periods, and a sample of rows. Nothing is written.`,
      auth,
      parameters: [id],
      responses: {
        200: { description: 'What it would write.', schema: dryRunSchema },
        404: missing,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts) => {
        const { project, key } = readCaller(ctx);
        const exportId = readId(ctx.params.id, EXPORT);
        return withRateLimit(parts.limiter, key, () => service.tryOut(parts, project.id, exportId));
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/exports/{id}/backfill',
      operationId: 'backfillScheduledExport',
      summary: 'Write days before an export was made',
      description: 'Those of the days that are complete and not written yet, the latest first.',
      auth,
      parameters: [id],
      body: json({ schema: backfillEntry, example: { from: '2026-03-01', to: '2026-03-31' }, limit: '10kb' }),
      responses: {
        202: { description: 'They are written one after the other.', schema: backfillSchema },
        400: errorReply(400, 'The range cannot be.', 'from: must not be after to'),
        404: missing,
        409: errorReply(409, 'It has too many.', `An export has at most ${service.MOST_BACKFILLS} back-fills.`),
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const { project, key } = readCaller(ctx);
        const exportId = readId(ctx.params.id, EXPORT);
        const range = readBody();
        return withRateLimit(parts.limiter, key, () => service.addBackfill(parts, project.id, exportId, range));
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/projects/{id}/exports',
      operationId: 'listExportsOfProject',
      summary: 'List scheduled exports of a project',
      description: 'As `GET /api/v1/exports`, for the admin token too.',
      auth: admin.project('connections'),
      parameters: [projectId],
      responses: { 200: answer('All of the project.', exportListSchema) },
      handle: (ctx, parts) => service.listExports(parts, readProjectId(ctx)),
    }),
  ],
};

export const scheduledExportRoutes = (parts: ScheduledRouteParts): Router => createRoutes(scheduledExportsApi, parts);
