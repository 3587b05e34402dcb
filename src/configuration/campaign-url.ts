/** The addresses of campaigns: how a tracking link is built, and which one a link means (docs/contract/main-api.md). */
import { splitPairs } from '../lib/query-string';
import { parseUrl } from '../lib/parse-url';

/**
 * The short form, which is always there: `https://<domain>/?c=<display_id>`; empty for a project without any domain.
 */
export function shareableLink(domain: string | null, displayId: string): string {
  return domain === null ? '' : `https://${domain}/?c=${displayId}`;
}

/** The shortest form, for people: `https://<domain>/<display_id>`; empty for a project without any domain. */
export const shortUrl = (domain: string | null, displayId: string): string =>
  domain === null ? '' : `https://${domain}/${displayId}`;

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
  const { address, parameters, fragment } = takeApart(url);
  const parameter = encode(name, value);
  const isIt = (other: string) => namesIn(other).has(name);
  const replaced = parameters.map((other) => (isIt(other) ? parameter : other));
  return `${address}?${(parameters.some(isIt) ? replaced : [...parameters, parameter]).join('&')}${fragment}`;
}

/**
 * The URL with those parameters that it does not have in any case, before the fragment; every other byte stays. Values
 * are encoded already.
 */
export function withMissingParameters(url: string, wanted: ReadonlyMap<string, string>): string {
  const { address, parameters, fragment } = takeApart(url);
  const present = new Set([...namesIn(parameters.join('&'))].map((name) => name.toLowerCase()));
  const missing = [...wanted]
    .filter(([name]) => !present.has(name.toLowerCase()))
    .map(([name, value]) => `${name}=${value}`);
  return missing.length === 0 ? url : `${address}?${[...parameters, ...missing].join('&')}${fragment}`;
}

function takeApart(url: string): { address: string; parameters: string[]; fragment: string } {
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  return { address, parameters: query ? query.split('&') : [], fragment };
}

const encode = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;
/** As whoever opens the link decodes them: %63 is a c too. */
const namesIn = (query: string) => new Set(new URLSearchParams(query).keys());

/** A path as paths are compared: escapes of ASCII decoded, empty segments left out. */
export const plainPath = (path: string) =>
  path.replace(/%[0-7][0-9a-f]/gi, (escape) => decodeURIComponent(escape)).replace(/\/{2,}/g, '/');

/**
 * The parameters of a link, each as it stands there. Tools that add parameters write a second `?` after `c`, in which
 * there can be none.
 */
export const parametersOfLink = (search: string): string[] =>
  search
    .slice(1)
    .replace(/^((?:.*&)?(?:amp;)*c=[\w-]+)\?/i, '$1&')
    .split('&');

/** The name of a parameter: in a link copied out of HTML the rest of `&amp;` stands before it. */
export const parameterName = (name: string) => name.replace(/^(?:amp;)+/i, '');

/**
 * The display_id that a link names: its `c` parameter on any address, else the single segment of its path where
 * `isOwnDomain` knows its host. Undefined when it names none.
 */
export function displayIdOfLink(link: string, isOwnDomain: (host: string) => boolean): string | undefined {
  const url = parseUrl(link);
  if (!url) return undefined;
  const { hostname, pathname, search } = url;
  const pairs = parametersOfLink(search).flatMap(splitPairs);
  const c = pairs.find(([name, value]) => parameterName(name) === 'c' && value !== '')?.[1];
  if (c !== undefined) return c;
  return isOwnDomain(hostname) ? /^\/([A-Za-z0-9_-]{1,64})\/?$/.exec(plainPath(pathname))?.[1] : undefined;
}
