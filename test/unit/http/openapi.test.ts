/** The OpenAPI document by itself: valid, complete, the same as the routes and schemas that answer. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { createSchema } from '../../../src/campaigns/schema';
import { switchesSchema } from '../../../src/configuration/partner-switches';
import { openApiDocument } from '../../../src/openapi/document';
import type { Operation } from '../../../src/openapi/operation';
import { closed, named, Type, type TSchema } from '../../../src/lib/schema';
import { readApiReference } from '../../../src/wiring/api-reference';
import { FEATURES } from '../../../src/wiring/features';
import { workspaceSchema } from '../../../src/workspace/document';
import { DEFINITIONS } from '../../../src/s2s/definitions';
import { listReasons, REASONS, REJECTIONS } from '../../../src/s2s/reasons';
import { checkAnswer, paths, type Received } from '../../support/http/openapi';

const apiReference = readApiReference();

const operations = Object.entries(paths).flatMap(([at, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${at}`,
    at,
    operation: operation as unknown as Record<string, unknown>,
  })),
);

test('is valid OpenAPI 3.1', () => {
  // In a process of its own: Jest cannot load the parser, which is an ES module.
  const script =
    "import SwaggerParser from '@apidevtools/swagger-parser'; import fs from 'node:fs'; " +
    "await SwaggerParser.validate(JSON.parse(fs.readFileSync(0, 'utf8')));";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    input: JSON.stringify(apiReference),
    cwd: path.resolve(__dirname, '..', '..', '..'),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(apiReference.openapi).toBe('3.1.0');
});

test('every operation has an ID, texts, a described tag, security, and says what goes wrong', () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  const tags = (apiReference.tags as { name: string; description: string }[]).map((tag) => tag.name);
  for (const { name, operation } of operations) {
    expect({ name, operation }).toEqual({
      name,
      operation: expect.objectContaining({
        summary: expect.stringMatching(/\S/) as string,
        description: expect.stringMatching(/\S/) as string,
        security: expect.any(Array) as [],
      }) as object,
    });
    expect(tags).toContain((operation.tags as string[])[0]);
    const statuses = Object.keys(operation.responses as object);
    expect(statuses.some((status) => /^[23]/.test(status))).toBe(true);
    expect(statuses.some((status) => status.startsWith('4'))).toBe(true);
    expect(statuses).toContain('500');
  }
});

test('the parameters of a path are those in its braces', () => {
  for (const { name, at, operation } of operations) {
    const inPath = ((operation.parameters ?? []) as { name: string; in: string; required?: boolean }[]).filter(
      (parameter) => parameter.in === 'path',
    );
    expect({ name, names: inPath.map((parameter) => parameter.name) }).toEqual({
      name,
      names: [...at.matchAll(/\{([^}]+)\}/g)].map(([, one]) => one),
    });
    expect(inPath.every((parameter) => parameter.required)).toBe(true);
  }
});

test('every example has the form that its schema says', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
  ajv.addSchema(apiReference, 'reference');
  const examples: [string, object, unknown][] = [];
  const collect = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { schema, example } = value as { schema?: object; example?: unknown };
    if (schema && example !== undefined) examples.push([at, schema, example]);
    for (const [key, inner] of Object.entries(value)) if (key !== 'example') collect(inner, `${at}/${key}`);
  };
  collect(apiReference.paths, '');
  expect(examples.length).toBeGreaterThan(100);
  const absolute = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"reference#/')) as object;
  // Many examples have the same schema, and compiling is what takes long.
  const validators = new Map<string, ValidateFunction>();
  for (const [at, schema, example] of examples) {
    const text = JSON.stringify(schema);
    const validate = validators.get(text) ?? ajv.compile(absolute(schema));
    validators.set(text, validate);
    expect({ at, valid: validate(example) }).toEqual({ at, valid: true });
  }
});

test('bodies are shown by the very schemas that validate them', () => {
  const schemas = (apiReference.components as { schemas: Record<string, object> }).schemas;
  const dereferenced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(dereferenced);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    return $ref
      ? dereferenced(schemas[$ref.replace('#/components/schemas/', '')])
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, dereferenced(one)]));
  };
  for (const schema of [workspaceSchema, switchesSchema, createSchema])
    expect(dereferenced(schemas[schema.title as string])).toEqual(JSON.parse(JSON.stringify(schema)));
});

test('each S2S endpoint names its reasons under their statuses, and all reasons are named', () => {
  const said = DEFINITIONS.flatMap(({ kind, path }) => {
    const { responses } = paths[`/v1/${path}`]?.get as unknown as { responses: Record<string, unknown> };
    return listReasons(kind).map((reason) => {
      expect(JSON.stringify(responses[REJECTIONS[reason].status])).toContain(`"${reason}"`);
      return reason;
    });
  });
  expect(new Set(said)).toEqual(new Set(REASONS));
});

/** Answers whatever it is asked, so that routes can be made without what they work with. */
const anything: object = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === Symbol.iterator ? () => [].values() : anything),
  apply: () => anything,
});

test('every route of the API is documented, and every operation of its chapters has a route', () => {
  // An edit or deletion that names no campaign is only ever refused; pages are the dashboard's.
  const isOther = (route: string) => /^(PATCH|DELETE) \/api\/v1\/campaigns$/.test(route) || !route.includes('/v1/');
  const wired = FEATURES.filter(({ wire }) => wire);
  // What is handed on in part: a copy of it has only what it says.
  const copied = new Set(['administration', 'records', 'reporting', 'status']);
  const given = (name: string | symbol) => (copied.has(String(name)) ? { admins: anything } : anything);
  const parts = new Proxy({}, { get: (_, name) => given(name) }) as never;
  const routes = wired.flatMap(({ wire }) =>
    (wire?.(parts) ?? []).flatMap(({ stack }) =>
      stack.flatMap(({ methods, path: at }) =>
        methods
          .filter((method) => method !== 'HEAD')
          .map((method) => `${method} ${String(at).replace(/:(\w+)/g, '{$1}')}`),
      ),
    ),
  );
  const documented = wired.flatMap(({ chapters }) =>
    chapters.flatMap((chapter) => chapter.operations.map(({ method, path: at }) => `${method.toUpperCase()} ${at}`)),
  );
  const inApi = (all: string[]) => [...new Set(all)].filter((route) => !isOther(route)).sort();
  expect(inApi(routes).length).toBeGreaterThan(90);
  expect(inApi(routes)).toEqual(inApi(documented));
});

describe('composition', () => {
  const operation = (more: Partial<Operation> = {}): Operation => ({
    method: 'get',
    path: '/a',
    operationId: 'a',
    summary: 'A',
    description: 'A',
    security: [],
    responses: {},
    ...more,
  });
  const chapter = (...all: Operation[]) => [{ tag: 'T', description: 'T', operations: all }];

  test('refuses one route, one operationId or one name of a schema for two things', () => {
    expect(() => openApiDocument(chapter(operation(), operation({ operationId: 'b' })))).toThrow('Documented twice');
    expect(() => openApiDocument(chapter(operation(), operation({ path: '/b' })))).toThrow('Documented twice');
    const responses = (schema: TSchema) => ({ 200: { description: 'OK', schema: named('Same', schema) } });
    expect(() =>
      openApiDocument(
        chapter(
          operation({ responses: responses(closed({ a: Type.Unknown() })) }),
          operation({ path: '/b', operationId: 'b', responses: responses(closed({ b: Type.Unknown() })) }),
        ),
      ),
    ).toThrow('Two schemas are named Same');
  });
});

describe('the check of answers', () => {
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'request-1',
  };
  const json = (name: string) => headers[name.toLowerCase()] ?? null;
  const good = { method: 'GET', path: '/healthz', status: 200, header: json, text: '{"status":"ok"}' };

  test('takes what is documented', () => {
    checkAnswer(good);
    checkAnswer({ ...good, method: 'HEAD', text: '' });
    for (const path of ['/', '/AbC123', '/any/path?c=AbC123', '/healthz'])
      checkAnswer({ ...good, path, status: 302, header: () => 'no-store', text: '' }, true);
    checkAnswer({ ...good, path: '/v1/click', status: 404, text: '{"msg":"Not found.","status":404}' }, true);
    checkAnswer({ ...good, path: '/nothing', status: 404, text: '{"msg":"Not found.","status":404}' });
  });

  test.each([
    ['a status that is not documented', { status: 418 }],
    ['a field too many', { text: '{"status":"ok","more":1}' }],
    ['a field too few', { text: '{}' }],
    ['another content type', { header: () => 'text/html' }],
    ['a path that is not documented', { path: '/nothing' }],
    ['an error of another form', { path: '/nothing', status: 404, text: '{"error":"Not found."}' }],
    ['an answer without its ID', { header: (name: string) => (name === 'X-Request-Id' ? null : json(name)) }],
    ['a header too few', { path: '/v1/click', status: 429, text: '{"status":"rejected","reason":"rate_limited"}' }],
    ['a link that leads nowhere', { path: '/any/path?c=a', status: 302, text: '', onDomain: true }],
    ['a body with 204', { method: 'DELETE', path: '/api/v1/campaigns/a', status: 204, text: '{}' }],
  ])('refuses %s', (_, { onDomain = false, ...change }: Partial<Received> & { onDomain?: boolean }) => {
    expect(() => checkAnswer({ ...good, ...change }, onDomain)).toThrow('Not as documented');
  });
});
