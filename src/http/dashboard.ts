/** The dashboard: its page at the paths of the main host that are its own, and the files that `npm run build` made. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type Router from '@koa/router';
import serveFiles from 'koa-static';
import type { Context } from 'koa';
import { createRouter } from './router';

const YEAR_MS = 365 * 86_400_000;
const NONCE_BYTES = 16;
const NONCE = '%nonce%';

/** Where pages are; every other path is as it was, and unknown ones stay 404 in JSON. */
const PAGES = [
  '/',
  '/sign-in',
  '/welcome',
  '/profile',
  '/projects{/*rest}',
  '/partners{/*rest}',
  '/installation{/*rest}',
];
/** Pages for whoever has their link, which nobody keeps or finds by searching. */
const PUBLIC_PAGES = ['/public/board'];

/** Nothing but what this host serves, and no code or style that stands in the page itself, but for the nonce's. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** What no page of the dashboard uses. */
const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb'].map((name) => `${name}=()`).join(', ');

/**
 * The page and its files, for anybody: what it shows is asked for with the user's session.
 *
 * @param folder what the build wrote: `index.html` and `assets`
 */
export function dashboardRoutes(folder: string): Router {
  const router = createRouter();
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const answer = (ctx: Context) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    ctx.set({
      'Content-Security-Policy': policy(nonce),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Permissions-Policy': PERMISSIONS,
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    ctx.type = 'html';
    ctx.body = page.replace(NONCE, nonce);
  };
  for (const one of PAGES) router.get(one, answer);
  for (const one of PUBLIC_PAGES)
    router.get(one, (ctx) => {
      answer(ctx);
      ctx.set({ 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' });
    });
  // Their names have a hash of their content: what a name stands for never changes.
  const files = serveFiles(folder, { index: false, immutable: true, maxage: YEAR_MS });
  router.get('/assets/:file', async (ctx, next) => {
    if (!/^[\w-]+(\.[\w-]+)+$/.test(String(ctx.params.file))) return ctx.throw(404);
    ctx.set({ 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' });
    await files(ctx, next);
  });
  return router;
}
