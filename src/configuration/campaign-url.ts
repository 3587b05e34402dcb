/**
 * The addresses of campaigns: how a tracking link is built, and which campaign a link means (docs/contract.md, Main
 * API).
 */

/**
 * The short form, which is always there: `https://<domain>/?c=<display_id>`; empty for a project without any domain.
 */
export function shareableLink(domain: string | null, displayId: string): string {
  return domain === null ? '' : `https://${domain}/?c=${displayId}`;
}

/**
 * The tracking link of a campaign: its deeplink with `c`, or the short form for a short link or where there is no
 * deeplink. `c` goes before the fragment and replaces an existing `c`; every other byte stays.
 */
export function trackingLink(of: {
  domain: string | null;
  displayId: string;
  deeplink: string | null;
  isShortlink: boolean;
}): string {
  const { deeplink, displayId } = of;
  if (of.isShortlink || deeplink === null) return shareableLink(of.domain, displayId);
  return withParameter(deeplink, 'c', displayId);
}

/** The URL with a parameter, which goes before the fragment and replaces one of that name; every other byte stays. */
export function withParameter(url: string, name: string, value: string): string {
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const parameters = query ? query.split('&') : [];
  const parameter = `${name}=${encodeURIComponent(value)}`;
  // As whoever opens the link decodes it: %63 is a c too.
  const isIt = (other: string) => new URLSearchParams(other).has(name);
  const replaced = parameters.map((other) => (isIt(other) ? parameter : other));
  return `${address}?${(parameters.some(isIt) ? replaced : [...parameters, parameter]).join('&')}${fragment}`;
}

/**
 * The display_id that a link names: its `c` parameter on any address, else the single segment of its path where
 * `isOwnDomain` knows its host. Undefined when it names none.
 */
export function displayIdOfLink(link: string, isOwnDomain: (host: string) => boolean): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { hostname, pathname, searchParams } = new URL(link);
  const c = searchParams.get('c');
  if (c) return c;
  return isOwnDomain(hostname) ? /^\/([A-Za-z0-9_-]{1,64})\/?$/.exec(pathname)?.[1] : undefined;
}
