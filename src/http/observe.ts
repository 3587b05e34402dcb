/** Watches each request from its arrival to the end of its answer: for metrics, and as a span. */
import { performance } from 'node:perf_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracing } from '../tracing/tracing';
import type { Area } from './refusals';
import { requestIdIn } from './request-id';

/** Answers a request by `answer`, and watches it. */
export type Observe = (req: IncomingMessage, res: ServerResponse, area: Area, answer: () => void) => void;

/** By area, status class and seconds. */
export type OnAnswer = (area: Area, status: string, seconds: number) => void;

type Routed = ServerResponse & { route?: string };

/** Notes the path of the route that answers, with names for its parameters: `/admin/v1/projects/:id/keys`. */
export const nameRoute = (res: ServerResponse, route: string): void => void ((res as Routed).route = route);

/** Undefined where no route has answered. */
export const readRoute = (res: ServerResponse): string | undefined => (res as Routed).route;

/** Others are whatever a sender has made up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function observeRequests(onAnswer: OnAnswer, tracing: Tracing): Observe {
  return (req, res, area, answer) => {
    const started = performance.now();
    const span = tracing.isOn ? tracing.request(req.headers, requestIdIn(res)) : undefined;
    res.once('close', () => {
      onAnswer(area, `${Math.floor(res.statusCode / 100)}xx`, (performance.now() - started) / 1000);
      if (!span) return;
      const method = METHODS.has(req.method ?? '') ? (req.method as string) : '_OTHER';
      const route = readRoute(res);
      const attributes = { 'http.request.method': method, 'http.response.status_code': res.statusCode };
      const name = `${method === '_OTHER' ? 'HTTP' : method}${route === undefined ? '' : ` ${route}`}`;
      span.end(name, { ...attributes, ...(route !== undefined && { 'http.route': route }) }, res.statusCode >= 500);
    });
    if (span) span.run(answer);
    else answer();
  };
}
