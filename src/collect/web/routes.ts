/** The web collector and the script that feeds it (docs/contract/collectors.md), open to every origin. */
import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { readCollecting } from '../../http/auth';
import { anybody, collector } from '../../http/auth-schemes';
import { createRoutes, endpoints, type Auth, type Endpoint } from '../../http/endpoint';
import { storeBatch } from '../../ingest/batch';
import type { RecordStore } from '../../ingest/record';
import { named, Type } from '../../lib/schema';
import { rateLimited } from '../../openapi/operation';
import { BATCH_RESPONSES, describeBatch, noteRefusals, readSender, type CollectorParts } from '../batch-routes';
import { withinQuota } from '../event';
import { webEventSchema } from './schema';
import { ownSites } from './sites';
import { validateWebEvent } from './web-event';

export interface WebCollectorParts extends CollectorParts {
  readonly store: RecordStore;
  /** The script, minified. */
  readonly script: string;
}

/** How long browsers keep the script, and the permission to post to another origin, in seconds. */
const SCRIPT_MAX_AGE = 86_400;
const PREFLIGHT_MAX_AGE = 86_400;

/** Any website may read the answers: the key decides, and no cookie is involved. Errors carry the headers too. */
const open: Middleware = (ctx, next) => {
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  });
  return next();
};
const fromAnywhere = <Parts>(auth: Auth<Parts>): Auth<Parts> => ({
  ...auth,
  guards: (parts) => [open, ...auth.guards(parts)],
});

const OWN_HEADERS = ['content-type', 'content-encoding', 'web-key', 'service-key'];
const MAX_HEADERS = 64;
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]{1,128}$/;

/**
 * The headers that a page may send: whatever it asks for, since what monitors it adds its own headers to all of its
 * requests (`traceparent`, `baggage`). They are named, because `*` does not mean all of them to every browser.
 */
function allowedHeaders(asked: string): string {
  const names = asked
    .split(',', MAX_HEADERS)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => HEADER_NAME.test(name));
  return [...new Set([...OWN_HEADERS, ...names])].join(', ');
}

const operation = endpoints<WebCollectorParts>();

export const webOperations: readonly Endpoint<WebCollectorParts>[] = [
  operation({
    method: 'post',
    path: '/collect/v1/web',
    operationId: 'collectWebEvents',
    repeatable: true,
    summary: 'Collect web events',
    description:
      'What /adtrail.js sends, from any origin, as `text/plain` too; like app events, each is checked by ' +
      'itself and stored once. Campaigns are read from the query of `url`, else from its fragment.',
    auth: fromAnywhere(collector.web),
    body: describeBatch(named('WebEvent', webEventSchema), {
      event_id: 'e-1',
      type: 'page_view',
      time: '2026-03-05T10:00:00Z',
      visitor_id: 'v-1',
      session_id: 's-1',
      url: 'https://acme.example/?utm_source=newsletter&utm_medium=email',
    }),
    responses: BATCH_RESPONSES,
    handle: (ctx, parts, { readBody }) => {
      const { snapshot, receipts, quotas, store } = parts;
      const own = ownSites(snapshot, readCollecting(ctx).project);
      const sender = readSender(ctx, parts);
      const stored = storeBatch(
        readBody(),
        (event, receipt) => {
          const record = validateWebEvent(event, sender, receipt, own);
          return withinQuota(quotas, sender, 'visitor_id', event, record);
        },
        { receipts, store },
      );
      return noteRefusals(stored, parts, sender.projectId, 'web');
    },
  }),
  operation({
    method: 'get',
    path: '/adtrail.js',
    operationId: 'getBrowserScript',
    summary: 'Get the browser script',
    description:
      'Measures the visits of the website that includes it. It sets a cookie only with `data-cookie-domain`.',
    auth: fromAnywhere(anybody),
    responses: {
      200: { description: 'The script.', schema: Type.String(), type: 'text/javascript' },
      429: rateLimited,
    },
    handle: (ctx, { script }) => {
      ctx.set({
        'Cache-Control': `public, max-age=${SCRIPT_MAX_AGE}`,
        ETag: `"${createHash('sha256').update(script).digest('hex').slice(0, 16)}"`,
      });
      ctx.type = 'text/javascript; charset=utf-8';
      ctx.status = 200;
      if (ctx.fresh) ctx.status = 304;
      else ctx.body = script;
    },
  }),
];

/** Its endpoints, and what browsers ask before they post to another origin. */
export function webCollectorRoutes(parts: WebCollectorParts): Router {
  const router = createRoutes({ operations: webOperations }, parts);
  router.options('/collect/v1/web', open, (ctx) => {
    ctx.vary('Access-Control-Request-Headers');
    ctx.set({
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers': allowedHeaders(ctx.get('Access-Control-Request-Headers')),
      'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE),
    });
    ctx.status = 204;
  });
  return router;
}
