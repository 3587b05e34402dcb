/** Which URLs the product takes, wherever one is configured or sent. */

/**
 * An absolute http or https URL without credentials, written as one: what a parser would repair, such as a missing
 * slash or a line break, would do harm in a Location header.
 */
export function isWebUrl(value: string): boolean {
  if (!/^https?:\/\/[^/\\]/i.test(value) || hasBlankOrControl(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

const hasBlankOrControl = (text: string) => /[\s\p{Cc}]/u.test(text);

/** An absolute URL of any scheme that opens an app, never one that runs script or carries its own content. */
export function isDeeplink(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || hasBlankOrControl(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (
    !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(protocol) && username === '' && password === ''
  );
}

/** Whether a host name can be a domain of its own: not `localhost`, nor what a browser takes for an IP address. */
export const isDomain = (host: string): boolean => !/(?:^|\.)(?:localhost|\d+|0x[\da-f]*)\.?$/i.test(host);
