/**
 * Holds what the service answers against its OpenAPI document, which the build writes: loading all features for it
 * would cost each test file a second or two.
 */
import fs from 'node:fs';
import path from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { root } from '../paths';

const BUILT = path.join(root, 'dist', 'openapi.json');
if (!fs.existsSync(BUILT)) throw new Error(`${BUILT} is missing: npm run build:service && npm run build:files`);
const apiReference = JSON.parse(fs.readFileSync(BUILT, 'utf8')) as Readonly<Record<string, unknown>>;

export interface DocumentedOperation {
  readonly operationId: string;
  readonly servers?: unknown;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Readonly<Record<string, unknown>> }
    >
  >;
}

export const paths = apiReference.paths as Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats(ajv);
// What only the service's own validator knows; no answer depends on it.
for (const format of ['web-url', 'deeplink', 'instant', 'day', 'timezone', 'uuid-any-case', 'one-line'])
  ajv.addFormat(format, true);
ajv.addSchema(apiReference, 'reference');

const validators = new Map<string, ValidateFunction>();
function readValidator(...pointer: string[]): ValidateFunction {
  const parts = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const at = `reference#/${parts.join('/')}`;
  const validator = validators.get(at) ?? ajv.compile({ $ref: at });
  validators.set(at, validator);
  return validator;
}

/** Templates with literal segments first: /docs/{file} must not hide anything more exact. */
const templates = Object.entries(paths)
  .map(([template, item]) => ({
    template,
    onDomain: Object.values(item).some((operation) => operation.servers),
    pattern: new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
  }))
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

/**
 * The path of the document that a request's path is of; on a tracking domain all paths that are nothing else are links.
 */
function readTemplate(path: string, onDomain: boolean): string | undefined {
  if (onDomain && path.startsWith('/collect/')) return readTemplate(path, false);
  const documented = templates.find((one) => one.onDomain === onDomain && one.pattern.test(path))?.template;
  const isOfAnApi = /^\/(?:(?:(?:api|admin)\/)?v1|\.well-known)\/|^\/adtrail\.js$/.test(path);
  return documented ?? (onDomain && !isOfAnApi ? '/' : undefined);
}

export interface Received {
  readonly method: string;
  /** With or without query. */
  readonly path: string;
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** Pages and files of the dashboard are no interface; what they are: test/integration/dashboard/dashboard.test.ts. */
const DASHBOARD = /^\/(sign-in|welcome|profile|(projects|partners|installation)(\/.*)?|assets\/[^/]+)?$/;

/**
 * What the service may answer without the document naming it: unknown paths, wrong methods, and guards of whole
 * prefixes.
 */
function isGeneric({ path, status, header }: Received, template: string | undefined): boolean {
  if (status === 401) return path.startsWith('/admin/v1');
  if (status === 429) return path.startsWith('/api/v1');
  // An edit or deletion that names no campaign has an answer of its own (docs/contract/).
  if (status === 400) return template === '/api/v1/campaigns';
  if (status === 405) return header('allow') !== null;
  return status === 404 && template === undefined;
}

/**
 * Checks one answer: path, method and status are documented, and content type, headers and body are as documented.
 *
 * @throws Error that says what is not.
 */
export function checkAnswer(received: Received, onDomain = false): void {
  const { status, text } = received;
  const method = received.method.toLowerCase();
  if (method === 'options') return;
  const path = received.path.replace(/[?#].*$/s, '');
  const template = readTemplate(path, onDomain);
  const name = method === 'head' && template && !paths[template]?.head ? 'get' : method;
  const fail = (problem: string) => {
    throw new Error(
      `Not as documented: ${received.method} ${path} answered ${status}: ${problem}\n${text.slice(0, 2000)}`,
    );
  };
  const type = (received.header('content-type') ?? '').replace(/;.*/, '');
  const operation = template === undefined ? undefined : paths[template]?.[name];
  const isPage = !onDomain && ['get', 'head'].includes(method) && status === 200 && DASHBOARD.test(path);
  if (!operation && isPage) return;
  if (!operation) {
    if (!isGeneric({ ...received, path }, template)) fail('no such operation');
    if (method !== 'head' && !readValidator('components', 'schemas', 'Error')(JSON.parse(text))) fail('no error body');
    return;
  }
  const response = operation.responses[status];
  if (!response) {
    if (status === 405 && name === 'get' && received.header('allow')) return;
    fail('no such status');
    return;
  }
  for (const header of Object.keys(response.headers ?? {}))
    if (received.header(header) === null) fail(`no header ${header}`);
  if (method === 'head') return;
  if (!response.content) return text === '' ? undefined : fail('a body where there is none');
  const documented = Object.keys(response.content).find((one) => one === type || one === '*/*');
  if (documented === undefined) return fail(`content type ${type}`);
  const validate = readValidator(
    'paths',
    template as string,
    name,
    'responses',
    String(status),
    'content',
    documented,
    'schema',
  );
  if (!validate(type === 'application/json' ? JSON.parse(text) : text)) fail(ajv.errorsText(validate.errors));
}

/** `checkAnswer` for an answer of fetch, whose body stays readable. */
export async function checkResponse(
  path: string,
  init: RequestInit | undefined,
  response: Response,
): Promise<Response> {
  const method = init?.method ?? 'GET';
  const received = {
    method,
    path,
    status: response.status,
    header: (name: string) => response.headers.get(name),
    text: method === 'HEAD' ? '' : await response.clone().text(),
  };
  checkAnswer(received);
  return response;
}
