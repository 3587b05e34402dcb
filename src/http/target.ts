/** The request target: how long it may be, and the parameters in it. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { ApiError } from '../errors';
import { splitPairs } from '../lib/query-string';

/** A request line under these paths may be as long as all headers together: legal values are that long. */
const LONG = /^\/(?:api\/)?v1\//;
const MAX_LINE_BYTES = 8 * 1024;
const MAX_PARAMETERS = 5_000;

/** Why a target is refused before anything is done with it: 431 for its length, 400 for its many parameters. */
export function targetError(
  { method = '', url = '' }: IncomingMessage,
  isTrackingDomain: boolean,
): ApiError | undefined {
  const line = method.length + url.length + ' '.length + ' HTTP/1.1'.length;
  if (line > MAX_LINE_BYTES && (isTrackingDomain || !LONG.test(url)))
    return new ApiError(431, 'The request line must be at most 8 kB.');
  let parameters = 1;
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1)) parameters += 1;
  return parameters > MAX_PARAMETERS
    ? new ApiError(400, `A request takes at most ${MAX_PARAMETERS} parameters.`)
    : undefined;
}

/** The parameters of a request, whatever its Host is: Koa's own are missing where that is no host. */
export const readQueryString = (ctx: Pick<Context, 'querystring'>): URLSearchParams =>
  new URLSearchParams(splitPairs(ctx.querystring));
