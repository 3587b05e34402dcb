/** Previews of links and their QR codes, for those who make them (docs/contract/tracking-links.md). */
import type Router from '@koa/router';
import QRCode from 'qrcode';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { type Access, caller, readCaller } from '../http/auth';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { linkOfCode, previewLink } from './preview';

export interface PreviewOptions {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
}

/** In order: the key, the limit of the key, then the work. */
export function linkPreviewRoutes({ postgres, access, limiter }: PreviewOptions): Router {
  const router = createRouter('/api/v1/links');
  const key = caller(access, 'reports');
  router.get('/:display_id/preview', key, async (ctx) => {
    const caller = readCaller(ctx);
    ctx.body = await withRateLimit(limiter, caller.key, () =>
      previewLink(postgres, access.snapshot, caller.project, ctx.params.display_id as string),
    );
  });
  router.get('/:display_id/qr', key, async (ctx) => {
    const caller = readCaller(ctx);
    const link = await withRateLimit(limiter, caller.key, () =>
      linkOfCode(postgres, access.snapshot, caller.project, ctx.params.display_id as string),
    );
    ctx.body = await QRCode.toString(link, { type: 'svg' });
    ctx.type = 'image/svg+xml';
  });
  return router;
}
