/** The Koa apps and which app gets which request. */
import type http from 'node:http';
import type Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { ApiError, UnavailableError } from '../errors';
import type { Log } from '../lib/log';
import { readHost } from './host';
import { nameRoute, readRoute, type Observe } from './observe';
import { findArea, findReason, type OnRefusal } from './refusals';
import { requestIdIn } from './request-id';
import { targetError } from './target';

const TEXTS: Record<number, string> = { 404: 'Not found.', 405: 'Method not allowed.' };

/** The request behind an unexpected error, without anything that its sender put into it. */
export interface FailedRequest {
  /** Its `X-Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  /** The path with names for its parameters, for example `/admin/v1/projects/:id/keys`. */
  readonly route: string | undefined;
}

export interface AppOptions {
  /** Called for every unexpected error. */
  readonly onError: (error: unknown, request: FailedRequest) => void;
  readonly onRefusal: OnRefusal;
  /** Whether the service is stopping. */
  readonly isClosing: () => boolean;
}

/** An `onError` that logs. */
export const logErrors =
  (log: Log): AppOptions['onError'] =>
  (err, request) =>
    log.error({ err, ...request }, 'A request failed');

const failedRequest = (ctx: Context): FailedRequest => ({
  requestId: requestIdIn(ctx.res),
  method: ctx.method,
  route: readRoute(ctx.res),
});

/** The route that a router has found; what has none names itself. */
function noteRoute(ctx: Context): void {
  const matched = (ctx as { _matchedRoute?: unknown })._matchedRoute;
  if (typeof matched === 'string') nameRoute(ctx.res, matched);
}

/** Renders every error as JSON; what is not meant for callers becomes a bare 500 and is reported to `onError`. */
function renderErrors({ onError, onRefusal, isClosing }: AppOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      noteRoute(ctx);
      // A router answers a wrong method or path with a bare status, and a method that it has never heard of with 501.
      if (ctx.status === 501 && ctx.body === undefined) ctx.throw(ctx.response.get('Allow') ? 405 : 404);
      if (TEXTS[ctx.status] !== undefined && ctx.body === undefined) ctx.throw(ctx.status);
    } catch (error) {
      noteRoute(ctx);
      if (error instanceof ApiError) {
        const reason = findReason(error.status);
        if (reason) onRefusal(findArea(ctx.path), reason);
        ctx.status = error.status;
        ctx.set(error.headers);
        ctx.body = { msg: error.message, status: error.status, ...error.extra };
        return;
      }
      if (error instanceof UnavailableError) {
        ctx.status = 503;
        ctx.set('Retry-After', '1');
        ctx.body = { msg: 'Service unavailable. Please try again.', status: 503 };
        return;
      }
      const status = (error as { status?: unknown }).status;
      const known = typeof status === 'number' && TEXTS[status] !== undefined ? status : 500;
      if (known === 500) onError(error, failedRequest(ctx));
      ctx.status = known;
      ctx.body = { msg: TEXTS[known] ?? 'Internal server error', status: known };
    } finally {
      // While the service stops, each answer tells its client to come again on another connection.
      if (isClosing()) ctx.set('Connection', 'close');
    }
  };
}

/** A Koa app of some middleware, then some routers, with the product's error rendering. */
export function createApp(
  options: AppOptions,
  middleware: readonly Middleware[] = [],
  routers: readonly Router[] = [],
): Koa {
  const app = new Koa();
  // Koa's own handler prints the error; renderErrors has reported it by then, and a broken socket is no error of ours.
  app.silent = true;
  app.use(renderErrors(options));
  for (const one of middleware) app.use(one);
  for (const router of routers) app.use(router.routes()).use(router.allowedMethods());
  return app;
}

/** A target with scheme and host is legal; its host is then the one that counts (RFC 9112, 3.2.2). */
function toOriginForm(req: http.IncomingMessage): void {
  const absolute = /^https?:\/\/([^/?#]*)([^]*)$/i.exec(req.url ?? '');
  if (!absolute) return;
  req.headers.host = absolute[1];
  req.url = absolute[2]?.startsWith('/') ? absolute[2] : `/${absolute[2]}`;
}

/** Answers what no app is to see, and closes the connection: the rest of the request may be anything. */
function refuse(res: http.ServerResponse, { status, message }: ApiError): void {
  const body = JSON.stringify({ msg: message, status });
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  res.end(body);
}

/** What partners ask with their token beside S2S: the log of what they were told. */
const isOfLog = (url: string) => /^\/v1\/postbacks(?:[/?]|$)/.test(url);

/**
 * Sends a request to the app that it is for. A request whose Host is a tracking domain never reaches the APIs
 * (docs/contract/running.md).
 */
export function dispatch(
  apps: { main: Koa; s2s: Koa | undefined; domain: Koa },
  isTrackingDomain: (host: string) => boolean,
  onRefusal: OnRefusal,
  observe: Observe,
): http.RequestListener {
  const main = apps.main.callback();
  const s2s = apps.s2s?.callback();
  const domain = apps.domain.callback();
  return (req, res) => {
    if (!req.url?.startsWith('/')) toOriginForm(req);
    // Nobody behind this reads another host out of the header than the one that chose the app.
    const host = readHost(req.headers.host);
    req.headers.host = host?.withPort;
    const isLink = host !== undefined && isTrackingDomain(host.name);
    const area = isLink ? 'links' : findArea(req.url ?? '');
    observe(req, res, area, () => {
      const refused = targetError(req, isLink);
      if (refused) {
        onRefusal(isLink ? 'other' : area, 'headers');
        refuse(res, refused);
      } else if (isLink) void domain(req, res);
      else if (s2s && req.url?.startsWith('/v1/') && !isOfLog(req.url)) void s2s(req, res);
      else void main(req, res);
    });
  };
}
