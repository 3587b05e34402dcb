/** What a template of a postback may be, checked when it is saved (docs/contract/postbacks.md). Pure. */
import { isTooDeep } from '../../lib/text';
import { isWebUrl } from '../../lib/urls';
import { isJsonTemplate, wordsInJson } from './json-text';
import { findUnknownMacro, hasMacro, isSecretMacro, macrosIn, replaceMacros, readSecretName } from './macros';

export const METHODS = ['GET', 'POST'] as const;

/** A text with macros, or JSON whose texts have them. */
export type TemplateBody = string | object;

export interface PostbackTemplate {
  readonly method: (typeof METHODS)[number];
  readonly url: string;
  /** By name; values may hold macros. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: TemplateBody | null;
}

/** Which field of a template is not as it must be, for example `headers.Authorization`, and why. */
export interface TemplateProblem {
  readonly field: string;
  readonly message: string;
}

export const MAX_URL = 4_096;
export const MAX_BODY_BYTES = 16_384;
export const MAX_HEADERS = 20;

/** For people; HEADER_NAME is the same for the machine. */
const HEADERS = 'Authorization, Content-Type, Accept, User-Agent, X-...';
const HEADER_NAME = /^(authorization|content-type|accept|user-agent|x-[a-z0-9-]{1,62})$/i;
/** What proxies say of a request: nothing of ours. */
const FORWARDING = /^x-(forwarded|real-ip|client-ip|cluster-client-ip|original|rewrite|envoy|http-method|method)/i;
const HEADER_VALUE = /^[\x20-\x7e]{1,1024}$/;
const JSON_TYPE = /^application\/([a-z0-9.-]+\+)?json *(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded *(;|$)/i;

const NO_SECRETS: ReadonlySet<string> = new Set();

/**
 * The first problem of a template; undefined for one that can be rendered with any values. `secrets` are the names of
 * those that its owner has.
 */
export function validateTemplate(template: PostbackTemplate, secrets = NO_SECRETS): TemplateProblem | undefined {
  return (
    buildProblem('url', urlProblem(template.url, secrets)) ??
    headersProblem(template.headers, secrets) ??
    bodyProblem(template, secrets)
  );
}

/** The names of the macros of a template, but for secrets: what the other side may know of it. */
export const listMacros = (template: PostbackTemplate): string[] =>
  listAllMacros(template).filter((name) => !isSecretMacro(name));

/** The names of the secrets of a template. */
export const listSecretNames = (template: PostbackTemplate): string[] =>
  listAllMacros(template).filter(isSecretMacro).map(readSecretName);

const listAllMacros = ({ url, headers, body }: PostbackTemplate) =>
  macrosIn([url, ...Object.values(headers), typeof body === 'string' ? body : JSON.stringify(body)].join(' '));

const buildProblem = (field: string, message: string | undefined): TemplateProblem | undefined =>
  message === undefined ? undefined : { field, message };

const macroProblem = (text: string, secrets: ReadonlySet<string>): string | undefined => {
  const unknown = findUnknownMacro(text, secrets);
  if (unknown === undefined) return undefined;
  const [what, length] = isSecretMacro(unknown) ? (['secret', 72] as const) : (['macro', 64] as const);
  return `there is no ${what} {${unknown.slice(0, length)}}`;
};

/** Why an URL, with macros or without, is none that something can be sent to. */
export function urlProblem(url: string, secrets = NO_SECRETS): string | undefined {
  if (url.length > MAX_URL) return `must have at most ${MAX_URL} characters`;
  const unknown = macroProblem(url, secrets);
  if (unknown !== undefined) return unknown;
  if (hasMacro(/^[^:]*:?\/*[^/?#]*/.exec(url)?.[0] ?? '')) return 'scheme, host and port must be without macros';
  if (/[\\#]/.test(url)) return 'must be without fragment and backslash';
  return isWebUrl(replaceMacros(url, () => 'x')) ? undefined : 'must be an http or https URL without user and password';
}

/** Why an URL is none of a webhook, which has no macros. */
export const webhookUrlProblem = (url: string): string | undefined =>
  hasMacro(url) ? 'must be without macros' : urlProblem(url);

function headersProblem(
  headers: PostbackTemplate['headers'],
  secrets: ReadonlySet<string>,
): TemplateProblem | undefined {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) return { field: 'headers', message: `must be at most ${MAX_HEADERS}` };
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    return { field: 'headers', message: 'a header is there twice' };
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || FORWARDING.test(name))
      return {
        field: 'headers',
        message: `${JSON.stringify(name.slice(0, 64))} is none of ${HEADERS}`,
      };
    const message = headerProblem(name, value, secrets);
    if (message !== undefined) return { field: `headers.${name}`, message };
  }
  return undefined;
}

function headerProblem(name: string, value: string, secrets: ReadonlySet<string>): string | undefined {
  if (!HEADER_VALUE.test(value)) return 'must have 1 to 1024 printable ASCII characters';
  const unknown = macroProblem(value, secrets);
  if (unknown !== undefined || name.toLowerCase() !== 'content-type') return unknown;
  return hasMacro(value) || !(JSON_TYPE.test(value) || FORM_TYPE.test(value))
    ? 'must be application/json or application/x-www-form-urlencoded'
    : undefined;
}

function bodyProblem(
  { method, headers, body }: PostbackTemplate,
  secrets: ReadonlySet<string>,
): TemplateProblem | undefined {
  if (body === null) return undefined;
  if (method === 'GET') return { field: 'body', message: 'a GET has none' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    return { field: 'body', message: `must have at most ${MAX_BODY_BYTES} bytes` };
  const isJson = isJsonBody(headers, body);
  const given = readContentType(headers);
  if (typeof body === 'object' && given !== undefined && !isJson)
    return { field: 'body', message: 'an object cannot be sent as a form' };
  if (typeof body === 'string') {
    const unknown = macroProblem(body, secrets);
    if (unknown !== undefined) return { field: 'body', message: unknown };
    if (!isJson) return undefined;
    if (!isJsonTemplate(body)) return { field: 'body', message: 'must be JSON once its macros are replaced' };
  }
  const json = typeof body === 'string' ? (JSON.parse(wordsInJson(body)) as unknown) : body;
  if (isTooDeep(json)) return { field: 'body', message: 'is nested too deeply' };
  return typeof body === 'object' ? objectProblem(body, 'body', secrets) : undefined;
}

/** Macros stand in the texts of an object, not in its names: two names could become one. */
function objectProblem(value: unknown, field: string, secrets: ReadonlySet<string>): TemplateProblem | undefined {
  if (typeof value === 'string') return buildProblem(field, macroProblem(value, secrets));
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    if (hasMacro(name)) return { field, message: 'a name must be without macros' };
    const found = objectProblem(part, Array.isArray(value) ? `${field}[${name}]` : `${field}.${name}`, secrets);
    if (found) return found;
  }
  return undefined;
}

/** The value of the header Content-Type, however its name is written. */
export function readContentType(headers: PostbackTemplate['headers']): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/** Whether a body is sent as JSON; else it is a form. The header decides, and without it the body itself. */
export function isJsonBody(headers: PostbackTemplate['headers'], body: TemplateBody): boolean {
  const type = readContentType(headers);
  if (type !== undefined) return JSON_TYPE.test(type);
  return typeof body === 'object' || (/^\s*[{[]/.test(body) && isJsonTemplate(body));
}
