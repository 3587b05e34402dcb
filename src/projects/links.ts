/** The addresses of campaigns: how a tracking link is built, and which campaign a link means (decisions.md §3). */

/** The short form, which is always there: `https://<domain>/?c=<display_id>`; empty for a project without any domain. */
export function shareableLink(domain: string | null, displayId: string): string {
  return domain === null ? '' : `https://${domain}/?c=${displayId}`;
}

/**
 * The tracking link of a campaign: its deeplink with `c`, or the short form for a short link or where there is no
 * deeplink. `c` goes before the fragment and replaces an existing `c`; every other byte stays.
 */
export function trackingLink(of: { domain: string | null; displayId: string; deeplink: string | null; isShortlink: boolean }): string {
  const { deeplink, displayId } = of;
  if (of.isShortlink || deeplink === null) return shareableLink(of.domain, displayId);
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(deeplink) ?? [];
  const parameters = query ? query.split('&') : [];
  // As whoever opens the link decodes it: %63 is a c too.
  const isC = (parameter: string) => new URLSearchParams(parameter).has('c');
  const replaced = parameters.map((parameter) => (isC(parameter) ? `c=${displayId}` : parameter));
  return `${address}?${(parameters.some(isC) ? replaced : [...parameters, `c=${displayId}`]).join('&')}${fragment}`;
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
