/** The Koa apps and which request goes to which. */
import type http from 'node:http';
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { ApiError } from '../errors';

const TEXTS: Record<number, string> = { 404: 'Not found.', 405: 'Method not allowed.', 501: 'Method not implemented.' };

/** Renders every error as JSON; what is not meant for callers becomes a bare 500 and is reported to `onError`. */
export function renderErrors(onError: (error: unknown) => void): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      // A router answers a wrong method or path with a bare status.
      if (TEXTS[ctx.status] !== undefined && ctx.body === undefined) ctx.throw(ctx.status);
    } catch (error) {
      if (error instanceof ApiError) {
        ctx.status = error.status;
        ctx.set(error.headers);
        ctx.body = { msg: error.message, status: error.status, ...error.extra };
        return;
      }
      const status = (error as { status?: unknown }).status;
      const known = typeof status === 'number' && TEXTS[status] !== undefined ? status : 500;
      if (known === 500) onError(error);
      ctx.status = known;
      ctx.body = { msg: TEXTS[known] ?? 'Internal server error', status: known };
    }
  };
}

/** A Koa app of some middleware, then some routers, with the product's error rendering. */
export function createApp(onError: (error: unknown) => void, middleware: readonly Middleware[] = [], routers: readonly Router[] = []): Koa {
  const app = new Koa();
  // Koa's own handler prints the error; renderErrors has reported it by then, and a broken socket is no error of ours.
  app.silent = true;
  app.use(renderErrors(onError));
  for (const one of middleware) app.use(one);
  for (const router of routers) app.use(router.routes()).use(router.allowedMethods());
  return app;
}

/** A target with scheme and host is legal; its host is then the one that counts (RFC 9112, 3.2.2). */
function toOriginForm(req: http.IncomingMessage): void {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(req.url ?? '');
  if (!absolute) return;
  req.headers.host = absolute[1];
  req.url = absolute[2]?.startsWith('/') ? absolute[2] : `/${absolute[2]}`;
}

/**
 * Sends a request to the app that it is for. A request whose Host is a tracking domain never reaches the APIs
 * (decisions.md §1).
 */
export function dispatch(apps: { main: Koa; s2s: Koa | undefined; domain: Koa }, isTrackingDomain: (host: string) => boolean): http.RequestListener {
  const main = apps.main.callback();
  const s2s = apps.s2s?.callback();
  const domain = apps.domain.callback();
  return (req, res) => {
    if (!req.url?.startsWith('/')) toOriginForm(req);
    const host = req.headers.host;
    if (host && isTrackingDomain(host.replace(/:\d+$/, ''))) void domain(req, res);
    else if (s2s && req.url?.startsWith('/v1/')) void s2s(req, res);
    else void main(req, res);
  };
}
