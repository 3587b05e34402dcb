/** Where somebody is led after signing in: the page and the service decide by the same function. */
import { parseUrl } from './parse-url';

/** Stands for the address of the service, which no path names: nothing else resolves to it. */
const HERE = 'https://adtrail.invalid';
const MAX_LENGTH = 2_000;

/**
 * The path, with query and fragment, that `to` leads to as a browser resolves it, where that is on this host: `/` for
 * anything else, and for the sign-in page. A path such as `//host` resolves to another host than the one that it was
 * read on, so what is returned has to resolve to the same place again.
 */
export function readSafePath(to: unknown): string {
  if (typeof to !== 'string' || to.length > MAX_LENGTH) return '/';
  const url = parseUrl(to, HERE);
  if (!url) return '/';
  const path = url.pathname + url.search + url.hash;
  const isHere = url.origin === HERE && parseUrl(path, HERE)?.href === url.href;
  return isHere && !/^\/sign-in(\/|$)/i.test(url.pathname) ? path : '/';
}
