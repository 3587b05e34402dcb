/** Which URLs the product takes, wherever one is configured or sent. */
import { domainToASCII } from 'node:url';
import { parseUrl } from './parse-url';

/**
 * An absolute http or https URL without credentials, written as one: what a parser would repair, such as a missing
 * slash or a line break, would do harm in a Location header.
 */
export function isWebUrl(value: string): boolean {
  if (!/^https?:\/\/[^/\\]/i.test(value) || hasBlankOrControl(value)) return false;
  const url = parseUrl(value);
  return url?.username === '' && url.password === '';
}

const hasBlankOrControl = (text: string) => /[\s\p{Cc}]/u.test(text);

/** An absolute URL of any scheme that opens an app, never one that runs script or carries its own content. */
export function isDeeplink(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || hasBlankOrControl(value)) return false;
  const url = parseUrl(value);
  if (url?.username !== '' || url.password !== '') return false;
  return !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(url.protocol);
}

/** One form for all spellings of a host name: lower case, punycode, without the dot of the root. */
export const canonicalDomain = (host: string): string =>
  (/[^\x20-\x7e]/.test(host) ? domainToASCII(host) : host.toLowerCase()).replace(/\.$/, '');

/** Whether a host name can be a domain: not `localhost`, nor what a browser takes for an IP address. */
export const isDomain = (host: string): boolean => !/(?:^|\.)(?:localhost|\d+|0x[\da-f]*)\.?$/i.test(host);
