/** The collectors over HTTP (docs/contract/collectors.md). */
import type { Context } from 'koa';
import type Router from '@koa/router';
import { readCollecting, collectorKey } from '../http/auth';
import { jsonBody } from '../http/body';
import { clientIp } from '../http/client-ip';
import type { CollectorLimits } from '../http/limits';
import { createRouter } from '../http/router';
import type { Receipts } from '../ingest/receipts';
import type { RecordStore } from '../ingest/record';
import { parseIp } from '../net/ip';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { validateAppEvent } from './app-event';
import { MAX_UA } from './app-schema';
import { readBatch, storeBatch } from '../ingest/batch';
import { EVENT_BODY, EVENT_LIMITS } from './batch';
import { readSentAt, withinQuota, type Sender } from './event';
import type { Quotas } from './quotas';

export interface CollectOptions {
  readonly snapshot: ConfigSnapshot;
  readonly receipts: Receipts;
  readonly appEvents: RecordStore;
  readonly limits: CollectorLimits;
  readonly quotas: Quotas;
  readonly trustProxy: number;
}

/** Who sent a batch, whose body has been read. A server's own address and user agent are not its users'. */
export function readSender(ctx: Context, trustProxy: number): Sender {
  const { project, trusted } = readCollecting(ctx);
  const address = trusted ? null : parseIp(clientIp(ctx.req, trustProxy));
  return {
    projectId: project.id,
    trusted,
    ip: address?.public ? address.ip : '',
    ua: trusted ? '' : ctx.get('User-Agent').slice(0, MAX_UA),
    sentAt: readSentAt(ctx.request.body),
  };
}

/** In order: the key, the body, then each event; 202 once the good ones are durable. */
export function collectRoutes({ snapshot, receipts, appEvents, limits, quotas, trustProxy }: CollectOptions): Router {
  const router = createRouter('/collect/v1');
  const batch = jsonBody(...EVENT_BODY);

  router.post('/app', collectorKey(snapshot, 'app_key', limits), batch, async (ctx) => {
    const sender = readSender(ctx, trustProxy);
    ctx.body = await storeBatch(
      readBatch(ctx.request.body, EVENT_LIMITS),
      (event, receipt) => {
        const record = validateAppEvent(event, sender, receipt, snapshot);
        return withinQuota(quotas, sender, 'install_id', event, record);
      },
      { receipts, store: appEvents },
    );
    ctx.status = 202;
  });
  return router;
}

export { spendRoutes } from './spend-routes';
