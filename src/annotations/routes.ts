/** `/api/v1/annotations`: dated notes of a project (docs/contract/boards.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { limitCaller, type Access } from '../http/auth';
import { boardAccess } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { readId } from '../http/ids';
import { closed, instant, list, named, Type } from '../lib/schema';
import { errorReply, pathParameter, rateLimited } from '../openapi/operation';
import { listAnnotations, MAX_LISTED_NOTES, type AnnotationRow } from '../questions/annotations';
import { annotationEntrySchema, checkDays, listParameters, readAnnotationEntry } from './input';
import * as service from './service';

export interface AnnotationParts {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

const operation = endpoints<AnnotationParts>();

const { reads, changes } = boardAccess;
const id = pathParameter('id', 'The note.');
const text = Type.String();
const annotationSchema = named(
  'Annotation',
  closed({
    id: Type.Integer({ minimum: 1 }),
    day: Type.String({ format: 'date' }),
    text,
    created_by: { ...text, description: 'Who wrote it.' },
    created_at: instant,
    updated_at: instant,
  }),
);
const body = json({
  schema: annotationEntrySchema,
  example: { day: '2026-11-12', text: 'Price raised to 4.99' },
  limit: '10kb',
  parse: readAnnotationEntry,
});
const bad = errorReply(400, 'The body is wrong.', 'text: must say something');
const missing = errorReply(404, 'The project has no such note.', 'Annotation not found.');

const present = ({ created_at, updated_at, ...note }: AnnotationRow) => ({
  ...note,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** In order: who asks, billing, the body, the limit, then the work. */
export const annotationsApi: EndpointSection<AnnotationParts> = {
  tag: 'Annotations',
  description: 'Dated notes of a project, which charts show on their day.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/annotations',
      operationId: 'listAnnotations',
      summary: 'List annotations',
      description: `By day, the first ${MAX_LISTED_NOTES} of the days.`,
      auth: reads,
      parameters: listParameters,
      responses: {
        200: { description: 'The notes.', schema: closed({ annotations: list(annotationSchema) }) },
        400: errorReply(400, 'A day is malformed.', 'from: must be a day, YYYY-MM-DD'),
        429: rateLimited,
      },
      handle: (ctx, { postgres, limiter }, { readParameters }) => {
        const days = checkDays(readParameters());
        return limitCaller(ctx, limiter, async ({ project }) => ({
          annotations: (await listAnnotations(postgres, project.id, days)).map(present),
        }));
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/annotations',
      operationId: 'createAnnotation',
      summary: 'Write an annotation',
      description: 'Everybody who sees figures of the project sees it.',
      auth: changes,
      idempotent: true,
      body,
      responses: {
        201: { description: 'It is written.', schema: annotationSchema },
        400: bad,
        409: errorReply(
          409,
          `The project has ${service.MAX_ANNOTATIONS} already.`,
          `A project has at most ${service.MAX_ANNOTATIONS} annotations.`,
        ),
        429: rateLimited,
      },
      handle: (ctx, { postgres, limiter }, { readBody }) => {
        const entry = readBody();
        return limitCaller(ctx, limiter, async ({ project, actor }) =>
          present(await service.createAnnotation(postgres, actor, project.id, entry)),
        );
      },
    }),
    operation({
      method: 'put',
      path: '/api/v1/annotations/{id}',
      operationId: 'changeAnnotation',
      summary: 'Change an annotation',
      description: 'Day and text.',
      auth: changes,
      parameters: [id],
      body,
      responses: {
        200: { description: 'It is changed.', schema: annotationSchema },
        400: bad,
        404: missing,
        429: rateLimited,
      },
      handle: (ctx, { postgres, limiter }, { readBody }) => {
        const noteId = readId(ctx.params.id, 'Annotation');
        const entry = readBody();
        return limitCaller(ctx, limiter, async ({ project, actor }) =>
          present(await service.changeAnnotation(postgres, actor, project.id, noteId, entry)),
        );
      },
    }),
    operation({
      method: 'delete',
      path: '/api/v1/annotations/{id}',
      operationId: 'deleteAnnotation',
      summary: 'Delete an annotation',
      description: 'From all charts.',
      auth: changes,
      parameters: [id],
      responses: { 204: { description: 'It is deleted.' }, 404: missing, 429: rateLimited },
      handle: (ctx, { postgres, limiter }) => {
        const noteId = readId(ctx.params.id, 'Annotation');
        return limitCaller(ctx, limiter, ({ project, actor }) =>
          service.deleteAnnotation(postgres, actor, project.id, noteId),
        );
      },
    }),
  ],
};

export const annotationRoutes = (parts: AnnotationParts): Router => createRoutes(annotationsApi, parts);
