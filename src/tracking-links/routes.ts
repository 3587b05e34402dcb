/** What a tracking domain answers for links: the links themselves, their QR codes, and the apps that open them. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import QRCode from 'qrcode';
import { ApiError, UnavailableError } from '../errors';
import { clientIp } from '../http/client-ip';
import { nameRoute } from '../http/observe';
import type { Counter } from '../metrics/metrics';
import { shareableLink } from '../configuration/campaign-url';
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

/** Answers every path that is nothing else; `trustProxy` as `clientIp` takes it. */
export function trackingLinks(options: LinksOptions, trustProxy: number, count: Counter<'outcome'>): Middleware {
  return async (ctx, next) => {
    if (NO_LINK.test(ctx.path)) {
      await next();
      return;
    }
    nameRoute(ctx.res, '/:link');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return ctx.throw(405);
    }
    ctx.set('Cache-Control', 'no-store');
    const opened = await openLink(options, {
      domain: ctx.hostname.toLowerCase(),
      target: ctx.req.url as string,
      isHead: ctx.method === 'HEAD',
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
  const domainOf = (ctx: Context) => {
    if (snapshot.stale) throw new UnavailableError();
    return snapshot.domain(ctx.hostname) ?? ctx.throw(404);
  };
  const router = new Router();
  router.get('/.well-known/apple-app-site-association', (ctx) => {
    ctx.body = appleAppSiteAssociation(snapshot.appsOf(domainOf(ctx).projectId));
    ctx.type = 'application/json';
  });
  router.get('/.well-known/assetlinks.json', (ctx) => {
    ctx.body = assetLinks(snapshot.appsOf(domainOf(ctx).projectId));
    ctx.type = 'application/json';
  });
  router.get('/qr', async (ctx) => {
    const displayId = new URLSearchParams(ctx.querystring).get('c') ?? '';
    const campaign = snapshot.campaign(domainOf(ctx).projectId, displayId);
    if (!campaign?.live) throw new ApiError(404, 'Campaign not found.');
    ctx.body = await QRCode.toString(shareableLink(ctx.hostname.toLowerCase(), campaign.displayId), { type: 'svg' });
    ctx.type = 'image/svg+xml';
  });
  return router;
}
