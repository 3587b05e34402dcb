/**
 * The S2S endpoints for the OpenAPI document, from the definitions and checks of requests
 * (docs/contract/s2s.md).
 */
import { closed, list, named, choice, ofTypes, optional, Type, type TSchema } from '../lib/schema';
import {
  errorReply,
  tooLarge,
  type ApiSection,
  type Operation,
  type Parameter,
  type Response,
} from '../openapi/operation';
import { UUID } from '../ingest/device-id';
import { LOOKBACK, MAX_CHARACTERS, TIMESTAMP } from './checks';
import { DEFINITIONS, type Definition } from './definitions';
import { listNames, listParameters, readParameter, TARGETS, type Form, type ParameterName } from './parameters';
import { listReasons, REJECTIONS, type Reason } from './reasons';
import { IMPORT_REASONS, IMPORT_LIMITS } from './import';

const text = Type.String({ maxLength: MAX_CHARACTERS });
/** Any case is taken, which a pattern of JSON Schema cannot say but by naming both. */
const matching = (pattern: RegExp) =>
  Type.String({
    maxLength: MAX_CHARACTERS,
    pattern: pattern.source.replaceAll('a-f', 'A-Fa-f').replaceAll('[hd]', '[HhDd]'),
  });

const SCHEMAS: Readonly<Record<Form, TSchema>> = {
  text,
  uuid: matching(UUID),
  timestamp: matching(TIMESTAMP),
  lookback: matching(LOOKBACK),
};

const app = { ...TARGETS.app_id, schema: text };
const domain: Parameter = { name: 'd', in: 'query', ...TARGETS.d, schema: text };
const DEVICE = {
  click: 'One of `gaid`, `idfa` and a public `ip` is needed.',
  impression: 'One of `gaid` and `idfa` is needed.',
  ctv_impression: "The TV's public `ip` and its `ua` are needed.",
} as const;
const NAMES = { click: 'Click', impression: 'Impression', ctv_impression: 'CtvImpression' } as const;

function describeParameters({ kind }: Definition): Parameter[] {
  return listParameters(kind).flatMap((name) => {
    const { description, form, example, endpoints } = readParameter(name);
    const schema = SCHEMAS[form];
    const required = endpoints[kind] === 'required';
    return listNames(kind, name).map((alias): Parameter =>
      alias === name
        ? { name, in: 'query', description, schema, required, ...(example === undefined ? {} : { example }) }
        : { name: alias, in: 'query', description: `Another name of \`${name}\`, which wins over it.`, schema },
    );
  });
}

/** The statuses of an endpoint with the reasons that each can have. */
function describeRejections(definition: Definition): Record<number, Response> {
  const replies: Record<number, Response> = {};
  const reasons = listReasons(definition.kind);
  for (const status of new Set(reasons.map((reason) => REJECTIONS[reason].status))) {
    const possible = reasons.filter((reason) => REJECTIONS[reason].status === status);
    const mayRetry = status === 429 || status === 503;
    replies[status] = {
      description:
        `Rejected: ${possible.join(', ')}. ` +
        `${mayRetry ? 'Retry after the delay that the answer names.' : 'Not to be retried.'}`,
      schema: closed({ status: Type.String({ const: 'rejected' }), reason: choice(possible, { type: 'string' }) }),
      example: { status: 'rejected', reason: possible[0] as Reason },
      ...(mayRetry && { headers: { 'Retry-After': 'Whole seconds to wait before the next attempt.' } }),
    };
  }
  return replies;
}

function describeOperations(definition: Definition): Operation[] {
  const { kind, path, idColumn } = definition;
  const name = NAMES[kind];
  const what = kind.replace('ctv_', 'connected-TV ');
  const accepted = named(
    `Accepted${name}`,
    closed({ status: Type.String({ const: 'accepted' }), [idColumn]: Type.String({ format: 'uuid' }) }),
  );
  const common = {
    method: 'get',
    security: ['partnerToken', 'partnerTokenParameter'],
    responses: {
      200: {
        description: 'Accepted, and stored.',
        schema: accepted,
        example: { status: 'accepted', [idColumn]: '3a6f0d3e-6b1f-8c1d-9a53-0c7e5d2b4f10' },
      },
      ...describeRejections(definition),
    },
  } as const;
  const description =
    `${DEVICE[kind]} The same \`tid\` on the same campaign is stored once, and gets the same ID. Other parameters ` +
    `are ignored, and at most ${MAX_CHARACTERS} characters long.`;
  const parameters = describeParameters(definition);
  return [
    {
      ...common,
      path: `/v1/${path}/{app_id}`,
      operationId: `report${name}OfApp`,
      summary: `Report ${kind === 'impression' ? 'an' : 'a'} ${what} of an app`,
      description,
      parameters: [{ name: 'app_id', in: 'path', ...app }, domain, ...parameters],
    },
    {
      ...common,
      path: `/v1/${path}`,
      operationId: `report${name}`,
      summary: `Report ${kind === 'impression' ? 'an' : 'a'} ${what} by parameter`,
      description: `\`app_id\` or \`d\` is needed. ${description}`,
      parameters: [{ name: 'app_id', in: 'query', ...app }, domain, ...parameters],
    },
  ];
}

const describeTrial = (name: string, reasons: readonly Reason[]) =>
  named(
    `${name}Trial`,
    closed({
      outcome: choice(['accepted', 'rejected'], { type: 'string' }),
      reason: Type.Optional(choice(reasons, { type: 'string' })),
      status: Type.Integer({ description: 'The HTTP status that the request itself would have now.' }),
      checks: list(
        closed({
          name: Type.String(),
          ok: Type.Boolean(),
          detail: Type.Optional(Type.String({ description: 'What was found, in words.' })),
        }),
        { description: 'In their order; what builds on a check that failed is left out.' },
      ),
    }),
  );

/** The trials of an endpoint: its operations, with all checks for an answer. */
function describeTrials(definition: Definition): Operation[] {
  const name = NAMES[definition.kind];
  const schema = describeTrial(name, listReasons(definition.kind));
  const example = (reason: Reason | undefined, status: number) => ({
    outcome: reason ? 'rejected' : 'accepted',
    ...(reason && { reason }),
    status,
    checks: [{ name: 'token', ok: !reason, detail: 'The token is good.' }],
  });
  return describeOperations(definition).map((real) => ({
    ...real,
    method: 'post',
    path: real.path.replace('/v1/', '/v1/validate/'),
    operationId: real.operationId.replace('report', 'try'),
    summary: real.summary.replace('Report', 'Try out'),
    description:
      'Every check of the request with what it found, and what the request itself would be answered. Nothing is ' +
      'stored, and nothing counts against a campaign. A person who is signed in names the partner by `partner-id`.',
    security: [...real.security, 'session'],
    responses: {
      200: { description: 'Whether it would be accepted.', schema, example: example(undefined, 200) },
      401: {
        description: 'There is no good token: what builds on it was not looked at.',
        schema,
        example: example('invalid_token', 401),
      },
      403: errorReply(403, 'The role does not allow it, or another site asks.', 'Your role does not allow this.'),
      404: errorReply(404, 'The person has nothing to do with such a partner.', 'Partner not found.'),
      429: errorReply(429, 'Too many trials of the partner.', 'Rate limit exceeded. Please try again later.'),
    },
  }));
}

export const s2sApi: ApiSection = {
  tag: 'Server-to-server ingest',
  description: 'Clicks and impressions that partners report from their servers, with their token.',
  operations: [...DEFINITIONS.flatMap(describeOperations), ...DEFINITIONS.flatMap(describeTrials)],
};

const imported = (name: ParameterName) => {
  const { description, form } = readParameter(name);
  return ofTypes<string | number | null>(['string', 'number', 'null'], { ...SCHEMAS[form], description });
};
const OPTIONAL_FIELDS = listParameters('click').filter((name) => !['c', 'tid', 'click_time'].includes(name));
const importedClick = Type.Object(
  {
    c: imported('c'),
    tid: imported('tid'),
    click_time: ofTypes<string | number>(['string', 'number'], {
      description: 'When the ad was clicked, however long ago: RFC 3339, or Unix time in milliseconds or seconds.',
    }),
    ...optional({
      ...Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, imported(name)])),
      app_id: Type.Unsafe<string>({ ...app.schema, description: app.description }),
      d: Type.Unsafe<string>({ ...domain.schema, description: domain.description }),
    }),
  },
  { title: 'ImportedClick' },
);
const rejectedClicks = list(
  closed({
    index: Type.Integer({ minimum: 0 }),
    reason: choice(IMPORT_REASONS, { type: 'string' }),
    field: Type.String({ description: 'The field, or empty for the row as a whole.' }),
  }),
);
const importAnswer = named(
  'ImportedClicks',
  closed({
    accepted: Type.Integer({ minimum: 0, description: 'Clicks that are stored now, or were already.' }),
    rejected: rejectedClicks,
  }),
);

export const importApi: ApiSection = {
  tag: 'Imports',
  description: 'What happened before, loaded in bulk.',
  operations: [
    {
      method: 'post',
      path: '/admin/v1/projects/{id}/clicks',
      operationId: 'importClicks',
      summary: 'Import clicks',
      description:
        'Clicks of any age with their original times, for campaigns of the project that are not deleted, also ' +
        "where the partner's S2S clicks are switched off. Each is checked by itself, as an S2S click is, and has " +
        'the ID that S2S gives: ' +
        'one that is stored already stays as it is. Installs that are decided keep what they have. `adtrail ' +
        'import clicks FILE` sends a file.',
      security: ['adminToken'],
      parameters: [
        {
          name: 'id',
          in: 'path',
          description: 'ID of the project, as its list gives it.',
          schema: Type.Integer({ minimum: 1 }),
          example: 1,
        },
      ],
      body: {
        schema: Type.Object({ clicks: list(importedClick, { maxItems: IMPORT_LIMITS.maxRows }) }),
        example: { clicks: [{ c: 'AbC123', tid: 'touch-1', click_time: '2025-11-07T09:30:00Z', ip: '203.0.113.7' }] },
      },
      responses: {
        200: {
          description: 'The good clicks are durable.',
          schema: importAnswer,
          example: { accepted: 1, rejected: [] },
        },
        400: errorReply(400, 'The body is no JSON object with clicks.', 'clicks: must be an array of clicks'),
        401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
        404: errorReply(404, 'There is no such project.', 'Project not found.'),
        413: tooLarge('50mb'),
      },
    },
  ],
};
