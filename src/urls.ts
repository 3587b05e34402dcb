/** Which URLs the product takes, wherever one is configured or sent. */

/** An absolute http or https URL without credentials. */
export function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

/** An absolute URL of any scheme that opens an app, never one that runs script or carries its own content. */
export function isDeeplink(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || /\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(protocol) && username === '' && password === '';
}
