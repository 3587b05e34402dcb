/** Builds one OpenAPI 3.1 document from the sections of all features. */
import { version } from '../lib/version';
import {
  type ApiSection,
  errorReply,
  type Operation,
  type Parameter,
  rateLimited,
  type Response,
  type Schema,
  type Security,
} from './operation';

const SECURITY = {
  serviceKey: { type: 'apiKey', in: 'header', name: 'service-key', description: "A project's server key." },
  partnerToken: { type: 'apiKey', in: 'header', name: 'X-Service-Token', description: "A partner's token." },
  partnerTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'svc_token',
    description: "A partner's token, for ad servers that cannot set headers. Never stored.",
  },
  appKey: { type: 'apiKey', in: 'header', name: 'app-key', description: "A project's key for its apps." },
  webKey: { type: 'apiKey', in: 'header', name: 'web-key', description: "A project's key for its websites." },
  webKeyParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'web-key',
    description: "A project's key for its websites, for beacons, which cannot set headers.",
  },
  adminToken: { type: 'http', scheme: 'bearer', description: 'ADMIN_TOKEN of the service.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'adtrail_session',
    description:
      'A person who is signed in, for what the role permits. Where a key would name the project the header ' +
      '`project-id` does; changes need the `Origin` of the service.',
  },
} as const;

const INFO = {
  title: 'adtrail',
  summary: 'Attributes app installs and web visits to marketing campaigns, and reports on them.',
  description:
    'The main API under `/api/v1`, server-to-server ingest under `/v1`, collectors under `/collect/v1`, ' +
    'administration under `/admin/v1`. Unknown paths answer 404, wrong methods 405 with `Allow`, both as JSON. ' +
    'Parameters sent empty count as not sent. Every answer has an `X-Request-Id`. A POST with `x-repeatable` may be ' +
    'sent again when its answer was lost: it only reads, or what it sends has IDs of its own.',
  version,
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
};

/** The header of every answer. */
const REQUEST_ID = {
  description: 'The ID of the request: that of its own `X-Request-Id` where it has a good one. Name it in questions.',
  required: true,
  schema: { type: 'string', maxLength: 128 },
  example: '0b6f2f6e-5d0c-4d6a-9a0d-2f6d9a0d5c11',
} as const;

/** Answers that every operation can give. */
const COMMON: Readonly<Record<number, Response>> = {
  431: errorReply(
    431,
    'Request line and headers are larger than 128 kB, or a request line than 8 kB where values are short.',
    'Request line and headers must be at most 128 kB.',
  ),
  500: errorReply(500, 'An error of the service.', 'Internal server error'),
  503: errorReply(
    503,
    'An engine of the service is away; the request may be repeated.',
    'Service unavailable. Please try again.',
  ),
};

/** What every operation with a body can answer. */
const unreadable = errorReply(
  415,
  'The charset or the compression of the body is not known.',
  'The charset "klingon" of Content-Type is not known.',
);

/** What a person who is signed in can be told where a key or the admin token would do. */
const TO_PERSONS: Readonly<Record<number, Response>> = {
  400: errorReply(400, 'A header or parameter is missing or invalid.', 'project-id: this header must name a project'),
  403: errorReply(403, 'The role does not allow it, or another site asks.', 'Your role does not allow this.'),
  404: errorReply(404, 'There is no such project, or it is of others.', 'Project not found.'),
};
const FOR_PERSONS: readonly Security[] = ['serviceKey', 'adminToken'];

/** Whoever comes in by one of these is limited by source address, or by key. */
const LIMITED: readonly Security[] = ['adminToken', 'appKey', 'webKey'];

const TRACKING_DOMAIN = [
  {
    url: 'https://{domain}',
    description: "A project's tracking domain",
    variables: { domain: { default: 'go.acme.example' } },
  },
];

/**
 * The document as it is served. Schemas with a title are listed once under components and referred to.
 *
 * @throws Error when two operations share a path and method or an operationId, or two schemas a title.
 */
export function openApiDocument(sections: readonly ApiSection[]): Schema {
  const components: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const { tag, operations } of sections) {
    for (const operation of operations) {
      const at = (paths[operation.path] ??= {});
      if (at[operation.method] || ids.has(operation.operationId))
        throw new Error(`Documented twice: ${operation.operationId}, ${operation.method} ${operation.path}`);
      ids.add(operation.operationId);
      at[operation.method] = lift(describe(operation, tag), components);
    }
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/', description: 'This service' }],
    // Several features may write one chapter.
    tags: [...new Map(sections.map(({ tag, description }) => [tag, { name: tag, description }])).values()],
    paths,
    components: { schemas: components, headers: { RequestId: REQUEST_ID }, securitySchemes: SECURITY },
  };
}

function describe(
  { operationId, summary, description, security, parameters, body, responses, ...marks }: Operation,
  tag: string,
): Schema {
  // The limits of whole rooms; others are named where they are.
  const isForPersons = FOR_PERSONS.some((name) => security.includes(name));
  const { onTrackingDomain, repeatable } = marks;
  const isLimited = onTrackingDomain || LIMITED.some((name) => security.includes(name));
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    security: [...security, ...(isForPersons ? ['session'] : [])].map((name) => ({ [name]: [] })),
    ...(onTrackingDomain && { servers: TRACKING_DOMAIN }),
    ...(repeatable && { 'x-repeatable': true }),
    ...(parameters && { parameters: parameters.map(parameter) }),
    ...(body && { requestBody: describeBody(body) }),
    responses: Object.fromEntries(
      Object.entries({
        ...COMMON,
        ...(body && { 415: unreadable }),
        ...(isLimited && { 429: rateLimited }),
        ...(isForPersons && TO_PERSONS),
        ...responses,
      }).map(([status, one]) => [status, reply(one)]),
    ),
  };
}

const describeBody = ({ type, schema, example, lines }: NonNullable<Operation['body']>) => ({
  required: true,
  content: {
    [type ?? 'application/json']: { schema, example },
    ...(lines !== undefined && { 'application/x-ndjson': { schema: { type: 'string' }, example: lines } }),
  },
});

const parameter = ({ read: _, ...one }: Parameter) => (one.in === 'path' ? { ...one, required: true } : one);

function reply({ description, schema, type = 'application/json', files = [], example, headers }: Response): Schema {
  const content = {
    ...(schema && { [type]: { schema, ...(example === undefined ? {} : { example }) } }),
    ...Object.fromEntries(files.map((file) => [file, { schema: { type: 'string' } }])),
  };
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, text]) => [
          name,
          { description: text, required: true, schema: { type: 'string' } },
        ]),
      ),
    },
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** A copy in which every titled schema is a reference to `components`, where it is put. */
function lift(value: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => lift(one, components));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'example' || name === 'examples' ? one : lift(one, components),
    ]),
  );
  const { title } = copy;
  if (typeof title !== 'string') return copy;
  if (components[title] && JSON.stringify(components[title]) !== JSON.stringify(copy))
    throw new Error(`Two schemas are named ${title}`);
  components[title] = copy;
  return { $ref: `#/components/schemas/${title}` };
}
