/** Who asks: the keys that a client may have, and which of them a request carries. */

export interface Keys {
  /** A project's server key, for `/api/v1`, `/mcp` and the collectors. */
  readonly serviceKey?: string;
  /** A partner's token, for `/v1`. */
  readonly partnerToken?: string;
  /** `ADMIN_TOKEN` of the service, for `/admin/v1` and `/metrics`. */
  readonly adminToken?: string;
  /** A project's key for its apps, for `/collect/v1/app`. */
  readonly appKey?: string;
  /** A project's key for its websites, for `/collect/v1/web`. */
  readonly webKey?: string;
}

type Name = keyof Keys;
const HEADERS: Readonly<Record<Name, string>> = {
  serviceKey: 'service-key',
  partnerToken: 'X-Service-Token',
  adminToken: 'Authorization',
  appKey: 'app-key',
  webKey: 'web-key',
};
const NAMES = Object.keys(HEADERS) as Name[];

/** By the beginning of paths, the first that fits: which keys they take, the one that is sent first. */
const TAKEN: readonly (readonly [beginning: string, keys: readonly Name[]])[] = [
  ['/api/v1/', ['serviceKey']],
  ['/mcp', ['serviceKey']],
  ['/collect/v1/app', ['appKey', 'serviceKey']],
  ['/collect/v1/web', ['webKey', 'serviceKey']],
  ['/collect/v1/', ['serviceKey']],
  ['/v1/', ['partnerToken']],
  ['/admin/v1/', ['adminToken']],
  ['/auth/v1/first-link', ['adminToken']],
  ['/metrics', ['adminToken']],
];

/** The keys that the operations of a path take; none for public ones. */
export const listKeys = (path: string): readonly Name[] =>
  TAKEN.find(([beginning]) => path.startsWith(beginning))?.[1] ?? [];

/** The header of a request to a path: one key, and none that the path does not take. */
export function chooseKey(path: string, keys: Keys): Readonly<Record<string, string>> {
  const name = listKeys(path).find((one) => keys[one] !== undefined);
  const key = name && keys[name];
  if (!name || key === undefined) return {};
  return { [HEADERS[name]]: name === 'adminToken' ? `Bearer ${key}` : key };
}

/**
 * Checks keys before they become headers, whose errors would say them.
 *
 * @throws TypeError that names the option, not the key.
 */
export function checkKeys(keys: Keys): void {
  for (const name of NAMES) {
    const key = keys[name];
    if (key !== undefined && !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key))
      throw new TypeError(`${name}: must be printable ASCII, without a space or an end of a line around it`);
  }
}

export const hasKeys = (keys: Keys) => NAMES.some((name) => keys[name] !== undefined);
