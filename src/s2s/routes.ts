/** The S2S endpoints over HTTP: three host forms each, JSON always, never a redirect (docs/contract.md, S2S). */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { readBatch } from '../batch';
import { ApiError, UnavailableError } from '../errors';
import { jsonBody } from '../http/body';
import type { Counter } from '../metrics';
import { DEFINITIONS, type Definition } from './definitions';
import { REJECTIONS } from './rejections';
import { importClicks, IMPORT_LIMITS, type ImportOptions } from './import';
import type { Ingest } from './service';

/** 10,000 clicks of 50 fields. */
const MAX_IMPORT_VALUES = 500_000;

const byPath = new Map(DEFINITIONS.map((definition) => [definition.path, definition]));

/** The endpoint that a path names, and the app ID in it. */
export function matchPath(path: string): { definition: Definition; appId: string | undefined } | undefined {
  const match = /^\/v1\/(click|impression|ctv\/impression)(?:\/([^/]*))?$/.exec(path);
  const definition = match && byPath.get(match[1] as string);
  return definition ? { definition, appId: match[2] && decodePathSegment(match[2]) } : undefined;
}

/** Percent-decodes as a query string is decoded, but a plus stays a plus. */
function decodePathSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  return new URLSearchParams(`=${segment.replaceAll('+', '%2B')}`).get('') ?? '';
}

/**
 * Answers every request under /v1 by itself. It is matched by hand and not by a router: it takes most of the traffic,
 * and a router's layers would cost more than the checks.
 */
export function s2sRoutes(ingest: Ingest, count: Counter<'endpoint' | 'outcome'>): Middleware {
  const accepted = Object.fromEntries(
    DEFINITIONS.map(({ kind, path }) => [kind, count.labels({ endpoint: path, outcome: 'accepted' })]),
  ) as Record<Definition['kind'], Counter.Internal>;
  return async (ctx) => {
    const url = ctx.req.url as string;
    const mark = url.indexOf('?');
    const matched = matchPath(mark === -1 ? url : url.slice(0, mark));
    if (!matched) {
      ctx.throw(404);
      return;
    }
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      ctx.throw(405);
      return;
    }
    const { definition, appId } = matched;
    const header = ctx.req.headers['x-service-token'];
    const outcome = await ingest(
      definition,
      appId,
      mark === -1 ? '' : url.slice(mark + 1),
      typeof header === 'string' ? header.trim() : undefined,
    );
    if ('id' in outcome) {
      accepted[definition.kind].inc();
      ctx.body = { status: 'accepted', [definition.idColumn]: outcome.id };
      return;
    }
    count.inc({ endpoint: definition.path, outcome: outcome.reason });
    ctx.status = REJECTIONS[outcome.reason];
    if (outcome.retryAfter) ctx.set('Retry-After', String(outcome.retryAfter));
    ctx.body = { status: 'rejected', reason: outcome.reason };
  };
}

/**
 * The import of clicks; everything under /admin/v1 is for administrators only. Checks the project, the body, then each
 * row; answers 200 once the good rows are durable.
 */
export function clickImportRoutes(options: ImportOptions): Router {
  const router = new Router({ prefix: '/admin/v1' });
  router.post(
    '/projects/:id/clicks',
    jsonBody('50mb', { anyText: true, maxValues: MAX_IMPORT_VALUES }),
    async (ctx) => {
      const project = options.snapshot.project(Number(ctx.params.id));
      if (options.snapshot.stale) throw new UnavailableError();
      if (!project) throw new ApiError(404, 'Project not found.');
      ctx.body = await importClicks(project.id, readBatch(ctx.request.body, IMPORT_LIMITS), options);
    },
  );
  return router;
}
