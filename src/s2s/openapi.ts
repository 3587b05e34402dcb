/**
 * The S2S endpoints for the OpenAPI document, from the definitions and checks of requests
 * (docs/contract/s2s.md).
 */
import { choice, closed, list, named, ofTypes, optional, Type, type TSchema } from '../lib/schema';
import {
  errorReply,
  tooLarge,
  type ApiSection,
  type Operation,
  type Parameter,
  type Response,
} from '../openapi/operation';
import { UUID } from '../lib/uuid';
import { LOOKBACK, MAX_CHARACTERS, TIMESTAMP } from './checks';
import { DEFINITIONS, type Definition } from './definitions';
import { INVALID_RECORD } from './batch';
import { MAX_BODY, MAX_RECORDS, MAX_TRIED } from './batch-input';
import { KINDS, listNames, listParameters, readParameter, TARGETS, type Form } from './parameters';
import { listReasons, REASONS, REJECTIONS, type Reason } from './reasons';
import { BATCH_PATH, BATCH_TRIAL_PATH } from './routes';

const text = Type.String({ maxLength: MAX_CHARACTERS });
/** Any case is taken, which a pattern of JSON Schema cannot say but by naming both. */
const matching = (pattern: RegExp) =>
  Type.String({
    maxLength: MAX_CHARACTERS,
    pattern: pattern.source.replaceAll('a-f', 'A-Fa-f').replaceAll('[hd]', '[HhDd]'),
  });

/** By the form of a value. */
export const SCHEMAS: Readonly<Record<Form, TSchema>> = {
  text,
  uuid: matching(UUID),
  timestamp: matching(TIMESTAMP),
  lookback: matching(LOOKBACK),
};

const { app_id: appId, d } = TARGETS;
export const app = { description: appId.description, example: appId.example, schema: text };
export const domain: Parameter = { name: 'd', in: 'query', description: d.description, schema: text };
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

/** The statuses of the reasons that an answer can have, with the reasons of each. */
function describeReasons(reasons: readonly Reason[]): Record<number, Response> {
  const replies: Record<number, Response> = {};
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
      ...describeReasons(listReasons(kind)),
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
    repeatable: true,
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

const value = ofTypes<string | number | null>(['string', 'number', 'null'], { maxLength: MAX_CHARACTERS });
/** Every name that a record of any kind may have. */
const BATCH_NAMES = [
  ...Object.keys(TARGETS),
  ...new Set(KINDS.flatMap((kind) => listParameters(kind).flatMap((name) => listNames(kind, name)))),
];
const batchRecord = Type.Object(
  {
    kind: choice(KINDS, { type: 'string', description: 'Which endpoint it is for.' }),
    ...optional(Object.fromEntries(BATCH_NAMES.map((name) => [name, value]))),
  },
  { title: 'BatchRecord' },
);
const BATCH_REASONS = [...REASONS, INVALID_RECORD] as const;
const batchResult = Type.Union([
  closed({
    status: Type.String({ const: 'accepted' }),
    ...optional({ click_id: Type.String({ format: 'uuid' }), impression_id: Type.String({ format: 'uuid' }) }),
  }),
  closed({
    status: Type.String({ const: 'rejected' }),
    code: Type.Integer({ description: 'The status that the request of its own would have had.' }),
    reason: choice(BATCH_REASONS, { type: 'string' }),
    retry_after: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds, where it may be sent again.' })),
  }),
]);
const EXAMPLE = { kind: 'click', app_id: 'com.acme.shop', c: 'AbC123', tid: 'touch-1', ip: '203.0.113.7' };

const batch: Operation = {
  method: 'post',
  path: BATCH_PATH,
  operationId: 'reportBatch',
  repeatable: true,
  summary: 'Report many clicks and impressions at once',
  description:
    `Up to ${MAX_RECORDS} records and 8 MB unpacked, one JSON object a line or a JSON array. Each is judged as its ` +
    'own request would be, and has its own outcome, in order; all that are accepted are durable before the answer. ' +
    'The same batch again changes nothing and has the same IDs.',
  security: ['partnerToken', 'partnerTokenParameter'],
  body: { schema: list(batchRecord, { maxItems: MAX_RECORDS }), example: [EXAMPLE], lines: JSON.stringify(EXAMPLE) },
  responses: {
    200: {
      description: 'The outcome of each record.',
      schema: named(
        'BatchOutcome',
        closed({
          accepted: Type.Integer({ minimum: 0 }),
          rejected: Type.Integer({ minimum: 0 }),
          results: list(batchResult),
        }),
      ),
      example: {
        accepted: 1,
        rejected: 0,
        results: [{ status: 'accepted', click_id: '3a6f0d3e-6b1f-8c1d-9a53-0c7e5d2b4f10' }],
      },
    },
    400: errorReply(400, 'The body is in no encoding that it names, or no JSON array.', 'Invalid JSON body.'),
    ...describeReasons(['missing_token', 'invalid_token', 's2s_disabled', 'unavailable']),
    413: tooLarge(MAX_BODY),
  },
};

const batchTrial: Operation = {
  ...batch,
  path: BATCH_TRIAL_PATH,
  operationId: 'tryBatch',
  summary: 'Try a batch out',
  description:
    `What each record would be answered, in order, and what the check that fails found: up to ${MAX_TRIED.records} ` +
    'records and 1 MB. Nothing is stored, and nothing counts against a campaign. A person who is signed in names the ' +
    'partner by `partner-id`.',
  security: [...(batch.security ?? []), 'session'],
  body: {
    schema: list(batchRecord, { maxItems: MAX_TRIED.records }),
    example: [EXAMPLE],
    lines: JSON.stringify(EXAMPLE),
  },
  responses: {
    ...batch.responses,
    200: {
      description: 'The outcome of each record.',
      schema: named(
        'BatchTrial',
        closed({
          accepted: Type.Integer({ minimum: 0 }),
          rejected: Type.Integer({ minimum: 0 }),
          results: list(
            closed({
              kind: Type.Optional(choice(KINDS, { type: 'string' })),
              outcome: choice(['accepted', 'rejected'], { type: 'string' }),
              reason: Type.Optional(choice(BATCH_REASONS, { type: 'string' })),
              detail: Type.Optional(Type.String({ description: 'What the check that fails found, in words.' })),
              status: Type.Integer({ description: 'The `code` that its outcome would have now; 200 if accepted.' }),
            }),
          ),
        }),
      ),
      example: { accepted: 1, rejected: 0, results: [{ kind: 'click', outcome: 'accepted', status: 200 }] },
    },
    403: errorReply(403, 'The role does not allow it, or another site asks.', 'Your role does not allow this.'),
    413: tooLarge(MAX_TRIED.body),
    429: errorReply(429, 'Too many trials of the partner.', 'Rate limit exceeded. Please try again later.'),
  },
};

export const s2sApi: ApiSection = {
  tag: 'Server-to-server ingest',
  description: 'Clicks and impressions that partners report from their servers, with their token.',
  operations: [...DEFINITIONS.flatMap(describeOperations), batch, ...DEFINITIONS.flatMap(describeTrials), batchTrial],
};
