/** The page on which somebody unsubscribes from a mail, without signing in (docs/contract/alerts.md). */
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Postgres } from '../db/postgres';
import { createRouter } from '../http/router';
import type { Seals } from '../lib/seal';
import { readSubject, readToken, unsubscribe, UNSUBSCRIBE_PATH } from '../notices/unsubscribing';
import { askPage, donePage, gonePage } from './pages';

export interface UnsubscribeParts {
  readonly postgres: Postgres;
  readonly seals: Seals;
}

function answer(ctx: RouterContext, status: number, page: string): void {
  ctx.set({
    'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  });
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = page;
}

/** A GET only asks, for scanners of mails follow every link; a POST, a person's or a mail program's, does it. */
export function unsubscribeRoutes({ postgres, seals }: UnsubscribeParts): Router {
  const router = createRouter();
  const find = async (ctx: RouterContext) => {
    const subscription = readToken(seals, String(ctx.params.token));
    const name = subscription && (await readSubject(postgres, subscription));
    return subscription && name !== undefined ? { subscription, name } : undefined;
  };
  router.get(`${UNSUBSCRIBE_PATH}/:token`, async (ctx) => {
    const found = await find(ctx);
    answer(ctx, found ? 200 : 404, found ? askPage(found.name, found.subscription.address) : gonePage());
  });
  router.post(`${UNSUBSCRIBE_PATH}/:token`, async (ctx) => {
    const found = await find(ctx);
    if (found) await unsubscribe(postgres, found.subscription);
    answer(ctx, found ? 200 : 404, found ? donePage(found.name, found.subscription.address) : gonePage());
  });
  return router;
}
