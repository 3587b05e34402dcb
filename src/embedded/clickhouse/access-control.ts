/** Who may speak to the embedded ClickHouse: loopback hosts only, no foreign web pages, the right password. */
import type { IncomingHttpHeaders } from 'node:http';
import { sameSecret, sha256 } from '../../lib/secrets';
import { ClickHouseException } from './errors';
import { parseUrl } from '../../lib/parse-url';

/** Throws unless the request is addressed to this machine and, if a web page sent it, the page came from here too. */
export function checkOrigin(headers: IncomingHttpHeaders): void {
  const host = headers.host ?? '';
  // A name that resolves to 127.0.0.1 (DNS rebinding) would make a foreign page look like ours.
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)) {
    throw new ClickHouseException(
      497,
      'ACCESS_DENIED',
      'The embedded ClickHouse only answers requests addressed to 127.0.0.1 or localhost',
    );
  }
  if (headers.origin !== undefined && readHost(headers.origin) !== host.toLowerCase()) {
    throw new ClickHouseException(
      497,
      'ACCESS_DENIED',
      'The embedded ClickHouse does not answer web pages of other origins',
    );
  }
}

const readHost = (origin: string): string | undefined => parseUrl(origin)?.host;

/** `default` is the service itself; all others are data engineers. */
export interface User {
  readonly name: string;
  /** The only project that the user sees; undefined: all. */
  readonly projectId?: number;
}

export type Passwords = Readonly<Record<'default' | 'reader', string>>;

/** Finds a user that sees one project. */
export type FindProjectReader = (name: string) => Promise<{ projectId: number; sha256: string } | undefined>;

/** `console_` begins the name of the service's own user for the SQL page of a project. */
const PROJECT_READER = /^(?:reader|console)_\d{1,10}_[0-9a-f]{8}$/;

/**
 * The user that the request names with its password, in one of ClickHouse's three ways; throws AUTHENTICATION_FAILED
 * for any other.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  parameters: URLSearchParams,
  passwords: Passwords,
  find: FindProjectReader,
): Promise<User> {
  const given = credentials(headers, parameters);
  for (const name of ['default', 'reader'] as const)
    if (given.user === name && sameSecret(given.password, passwords[name])) return { name };
  const known = PROJECT_READER.test(given.user) ? await find(given.user) : undefined;
  if (known && sameSecret(sha256(given.password), known.sha256))
    return { name: given.user, projectId: known.projectId };
  const user = given.user.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
  throw new ClickHouseException(
    516,
    'AUTHENTICATION_FAILED',
    `${user}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
}

function credentials(headers: IncomingHttpHeaders, parameters: URLSearchParams): { user: string; password: string } {
  const ways: { user: string; password: string }[] = [];
  const [user, key] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']];
  if (user !== undefined || key !== undefined) ways.push({ user: one(user) || 'default', password: one(key) });
  if (headers.authorization !== undefined) ways.push(basic(headers.authorization));
  if (parameters.has('user') || parameters.has('password')) {
    ways.push({ user: parameters.get('user') || 'default', password: parameters.get('password') ?? '' });
  }
  if (ways.length > 1) {
    throw new ClickHouseException(
      516,
      'AUTHENTICATION_FAILED',
      'Invalid authentication: it is not allowed to use several ways of authentication simultaneously',
    );
  }
  return ways[0] ?? { user: 'default', password: '' };
}

function basic(authorization: string): { user: string; password: string } {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    throw new ClickHouseException(
      516,
      'AUTHENTICATION_FAILED',
      "Invalid authentication: only the 'Basic' HTTP Authorization scheme is supported",
    );
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0
    ? { user: text, password: '' }
    : { user: text.slice(0, colon) || 'default', password: text.slice(colon + 1) };
}

function one(header: string | string[] | undefined): string {
  // Node reads headers as Latin-1; ClickHouse takes their bytes, which are UTF-8.
  return Buffer.from((Array.isArray(header) ? header[0] : header) ?? '', 'latin1').toString();
}
