/** The web collector and the script that feeds it (docs/contract/collectors.md), open to every origin. */
import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { readCollecting, collectorKey } from '../../http/auth';
import { jsonBody } from '../../http/body';
import type { CollectorLimits } from '../../http/limits';
import { createRouter } from '../../http/router';
import type { Receipts } from '../../ingest/receipts';
import type { RecordStore } from '../../ingest/record';
import type { ConfigSnapshot } from '../../configuration/config-snapshot';
import { readBatch, storeBatch } from '../../ingest/batch';
import { EVENT_BODY, EVENT_LIMITS } from '../batch';
import { withinQuota } from '../event';
import type { Quotas } from '../quotas';
import { readSender } from '../routes';
import { ownSites } from './sites';
import { validateWebEvent } from './web-event';

export interface WebCollectorOptions {
  readonly snapshot: ConfigSnapshot;
  readonly receipts: Receipts;
  readonly store: RecordStore;
  readonly limits: CollectorLimits;
  readonly quotas: Quotas;
  readonly trustProxy: number;
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

export function webCollectorRoutes({
  snapshot,
  receipts,
  store,
  limits,
  quotas,
  trustProxy,
  script,
}: WebCollectorOptions): Router {
  const router = createRouter();

  router.get('/adtrail.js', open, (ctx) => {
    ctx.set({
      'Cache-Control': `public, max-age=${SCRIPT_MAX_AGE}`,
      ETag: `"${createHash('sha256').update(script).digest('hex').slice(0, 16)}"`,
    });
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = script;
  });

  router.options('/collect/v1/web', open, (ctx) => {
    ctx.vary('Access-Control-Request-Headers');
    ctx.set({
      'Access-Control-Allow-Methods': 'POST, OPTIONS',
      'Access-Control-Allow-Headers': allowedHeaders(ctx.get('Access-Control-Request-Headers')),
      'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE),
    });
    ctx.status = 204;
  });

  router.post(
    '/collect/v1/web',
    open,
    collectorKey(snapshot, 'web_key', limits, { fromQuery: true }),
    jsonBody(...EVENT_BODY),
    async (ctx) => {
      const own = ownSites(snapshot, readCollecting(ctx).project);
      const sender = readSender(ctx, trustProxy);
      const answer = await storeBatch(
        readBatch(ctx.request.body, EVENT_LIMITS),
        (event, receipt) => {
          const record = validateWebEvent(event, sender, receipt, own);
          return withinQuota(quotas, sender, 'visitor_id', event, record);
        },
        { receipts, store },
      );
      ctx.status = 202;
      ctx.body = answer;
    },
  );
  return router;
}
