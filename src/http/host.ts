/** The Host of a request: read once, strictly, and the same everywhere (RFC 9110, 7.2). */
import { isIP } from 'node:net';
import type { Context } from 'koa';
import { canonicalDomain } from '../lib/urls';

/** A name or an address, and a port: no user, no path, no blank, nothing that some parser would repair. */
const HOST = /^(?:\[([\da-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,253}[a-z0-9_])?\.?))(:\d{0,5})?$/i;

export interface Host {
  /** In lower case, without port, brackets and the dot of the root. */
  readonly name: string;
  /** As a browser writes it, with the port where there is one. */
  readonly withPort: string;
}

/** Undefined for what is no host: such a request is answered as one of a host that nobody knows. */
export function readHost(header: string | undefined): Host | undefined {
  const [, six, plain, port = ''] = HOST.exec(header ?? '') ?? [];
  if (six !== undefined)
    return isIP(six) === 6 ? buildHost(six.toLowerCase(), `[${six.toLowerCase()}]`, port) : undefined;
  if (plain === undefined) return undefined;
  const name = canonicalDomain(plain);
  return buildHost(name, name, port);
}

const buildHost = (name: string, written: string, port: string): Host | undefined =>
  Number(port.slice(1)) > 65_535 ? undefined : { name, withPort: port.length > 1 ? written + port : written };

/** The name of the host that a request names; empty where it names none. */
export const readHostName = (ctx: Pick<Context, 'req'>): string => readHost(ctx.req.headers.host)?.name ?? '';
