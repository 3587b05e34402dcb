/** Requests of partners as the test bench reads and writes them (docs/contract/s2s.md). */
import { PARAMETERS, TARGETS } from '../../api/generated-s2s';

export const KINDS = ['click', 'impression', 'ctv'] as const;
export type Kind = (typeof KINDS)[number];

export const PATHS: Readonly<Record<Kind, string>> = {
  click: '/v1/click',
  impression: '/v1/impression',
  ctv: '/v1/ctv/impression',
};

export interface Request {
  readonly kind: Kind;
  /** As it is sent, without the token. */
  readonly query: string;
  /** Empty: the session says who asks. */
  readonly token: string;
}

export type Necessity = 'required' | 'choice' | 'optional';
export type FieldGroup = 'what' | 'who' | 'when' | 'more';
export interface Field {
  readonly name: string;
  readonly group: FieldGroup;
  /** What to fill in. */
  readonly hint: string;
  readonly necessity: Necessity;
}

const target = TARGETS.map((one): Field => ({ ...one, group: 'what', necessity: 'choice' }));

/** The parameters of each kind, as the service has them; the app or domain first. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  click: [...target, ...PARAMETERS.click],
  impression: [...target, ...PARAMETERS.impression],
  ctv: [...target, ...PARAMETERS.ctv_impression],
};

export type Values = Readonly<Record<string, string>>;

/** The query of a form: fields that are empty are not sent. */
export const buildQuery = (kind: Kind, values: Values): string =>
  FIELDS[kind]
    .filter(({ name }) => (values[name] ?? '') !== '')
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`)
    .join('&');

const PATH_KINDS: Readonly<Record<string, Kind>> = {
  click: 'click',
  impression: 'impression',
  'ctv/impression': 'ctv',
};
const PATH =
  /^(?:https?:\/\/[^/?#]+)?\/v1\/(?:validate\/)?(click|impression|ctv\/impression)(?:\/([^/?#]*))?(?:[?#]|$)/i;

/** The URL within what was pasted: a URL, a line of a log, or a call of curl. */
const urlIn = (text: string): string =>
  /^\s*(?:curl|get)\b/i.test(text) ? (/(?:https?:\/\/|\/v1\/)[^\s'"]+/i.exec(text)?.[0] ?? '') : text.trim();

/** The request that a text has; undefined for none. The token is taken out of the query, and sent as a header. */
export function readRequest(text: string): Request | undefined {
  const url = urlIn(text);
  const [, path = '', app] = PATH.exec(url) ?? [];
  const kind = PATH_KINDS[path.toLowerCase()];
  if (!kind) return undefined;
  const given = url.includes('?') ? (url.slice(url.indexOf('?') + 1).split('#')[0] ?? '') : '';
  const pairs = given.split('&').filter((pair) => pair !== '');
  const token = new URLSearchParams(given).get('svc_token') ?? '';
  const header = /x-service-token:\s*([^\s'"]+)/i.exec(text)?.[1];
  const kept = pairs.filter((pair) => !/^svc_token(=|$)/.test(pair));
  // An app in the path counts only where none is in the query.
  const inPath = app && !new URLSearchParams(given).get('app_id') ? [`app_id=${app.replaceAll('+', '%2B')}`] : [];
  return { kind, query: [...kept, ...inPath].join('&'), token: header ?? token };
}
