/** What a tracking domain answers for links: the links themselves, their QR codes, and the apps that open them. */
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import QRCode from 'qrcode';
import { ApiError, UnavailableError } from '../errors';
import { clientIp } from '../http/client-ip';
import { readHostName } from '../http/host';
import { nameRoute } from '../http/observe';
import { createRouter } from '../http/router';
import type { Counter } from '../metrics/metrics';
import { plainPath, shareableLink } from '../configuration/campaign-url';
import { openLink, type LinksOptions } from './service';
import { appleAppSiteAssociation, assetLinks } from './presenter';

/**
 * Never links: a request meant for an API that is not here must not pass for a click. `qr` and the files of the domain
 * have routes of their own.
 */
const NO_LINK = /^\/(?:(?:(?:api|admin)\/)?v1\/|collect\/|\.well-known\/|(?:qr|adtrail\.js)$)/;

const header = (ctx: Context, name: string) => {
  const value = ctx.req.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** How browsers say that they ask ahead: Chromium by the first two, Safari by the third, Firefox by the last. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const isPrefetch = (ctx: Context) =>
  PURPOSE_HEADERS.some((name) => /\b(?:prefetch|prerender|preview)\b/i.test(header(ctx, name) ?? ''));

/**
 * Whether the browser loads a whole page ahead. It keeps the redirect, whatever its Cache-Control, and follows it when
 * the link is opened: nobody would see that. Refused, it opens the link anew.
 */
const isSpeculation = (ctx: Context) => isPrefetch(ctx) && header(ctx, 'sec-fetch-mode') === 'navigate';

/** Answers every path that is nothing else; `trustProxy` as `clientIp` takes it. */
export function trackingLinks(options: LinksOptions, trustProxy: number, count: Counter<'outcome'>): Middleware {
  return async (ctx, next) => {
    if (NO_LINK.test(plainPath(ctx.path))) {
      await next();
      return;
    }
    nameRoute(ctx.res, '/:link');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return ctx.throw(405);
    }
    ctx.set('Cache-Control', 'no-store');
    if (isSpeculation(ctx)) {
      count.inc({ outcome: 'prefetch' });
      throw new ApiError(503, 'A tracking link is opened, and not loaded ahead.', { 'Retry-After': '1' });
    }
    const opened = await openLink(options, {
      domain: readHostName(ctx),
      target: ctx.req.url as string,
      isHead: ctx.method === 'HEAD',
      isPrefetch: isPrefetch(ctx),
      ip: clientIp(ctx.req, trustProxy),
      userAgent: header(ctx, 'user-agent') ?? '',
      platformHint: header(ctx, 'sec-ch-ua-platform'),
    });
    count.inc({ outcome: opened.outcome });
    if (opened.location === undefined) return ctx.throw(404);
    // Koa's own redirect writes the URL anew; this one is as configured.
    ctx.status = 302;
    ctx.set('Location', opened.location);
    ctx.body = '';
  };
}

/** `/qr?c=<display_id>` and the two documents under `/.well-known`. */
export function linkFileRoutes({ snapshot }: Pick<LinksOptions, 'snapshot'>): Router {
  const readDomain = (ctx: Context) => {
    if (snapshot.stale) throw new UnavailableError();
    return snapshot.domain(readHostName(ctx)) ?? ctx.throw(404);
  };
  const router = createRouter();
  router.get('/.well-known/apple-app-site-association', (ctx) => {
    ctx.body = appleAppSiteAssociation(snapshot.appsOf(readDomain(ctx).projectId));
    ctx.type = 'application/json';
  });
  router.get('/.well-known/assetlinks.json', (ctx) => {
    ctx.body = assetLinks(snapshot.appsOf(readDomain(ctx).projectId));
    ctx.type = 'application/json';
  });
  router.get('/qr', async (ctx) => {
    const displayId = new URLSearchParams(ctx.querystring).get('c') ?? '';
    const campaign = snapshot.campaign(readDomain(ctx).projectId, displayId);
    if (!campaign?.live) throw new ApiError(404, 'Campaign not found.');
    ctx.body = await QRCode.toString(shareableLink(readHostName(ctx), campaign.displayId), { type: 'svg' });
    ctx.type = 'image/svg+xml';
  });
  return router;
}
