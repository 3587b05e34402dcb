/** What the routes of the log take and answer, as JSON Schema, and its bounds (docs/contract/postbacks.md). */
import { WEBHOOK_EVENT_PATTERN, WITHHELD } from '../configuration/postbacks/events';
import { MAX_HEADERS, MAX_URL, METHODS, type TemplateBody } from '../configuration/postbacks/template';
import {
  closed,
  instant,
  list,
  mapTo,
  named,
  nullable,
  choice,
  ofTypes,
  optional,
  rowId as id,
  Type,
} from '../lib/schema';

/** Attempts on a page, and characters of parameters. */
export const LIMITS = { default: 50, maximum: 200, id: 256, host: 255, event: 300, code: 64 } as const;
/** Days of a replay. */
export const REPLAY_DAYS = 31;
export const KINDS = ['postback', 'webhook'] as const;
export const OUTCOMES = ['sent', 'retry', 'dead', 'dropped', 'test'] as const;
/** What can be sent once more: the others wait, or were never due. */
export const REPLAYED_OUTCOMES = ['sent', 'dead', 'dropped'] as const;

const text = Type.String();
const maybe = nullable(text);
const count = Type.Integer({ minimum: 0 });
const uuid = Type.String({ format: 'uuid-any-case' });
const day = Type.String({ format: 'day' });
const installId = Type.String({ minLength: 1, maxLength: LIMITS.id });

export const attemptSchema = named(
  'PostbackAttempt',
  closed({
    attempted_at: instant,
    postback_id: Type.String({ description: 'The same at every attempt, and in the message itself.' }),
    attempt: Type.Integer({ minimum: 1, description: 'Counted from 1; a replay counts anew.' }),
    kind: choice(KINDS, { type: 'string' }),
    project: { ...nullable(closed({ id, name: maybe })), description: 'Null for what a partner tried out.' },
    partner: nullable(closed({ id, name: maybe })),
    webhook_id: nullable(id),
    event: Type.String({ description: 'What was told: `install`, ..., or `event:<name>`.' }),
    install_id: maybe,
    tid: maybe,
    host: Type.String({ description: 'Host and port that it went to.' }),
    method: maybe,
    url: {
      ...maybe,
      description: "Null where the template is the other side's, as the body. What is secret or looks so is blanked.",
    },
    body: { ...maybe, description: 'Its first 4,096 characters.' },
    macros: { ...list(text), description: 'Names of the macros of the template.' },
    outcome: choice(OUTCOMES, { type: 'string' }),
    status: nullable(Type.Integer({ description: 'HTTP status of the answer.' })),
    latency_ms: count,
    error: maybe,
    next_attempt_at: nullable(instant),
    is_replay: Type.Boolean(),
  }),
);
export const logSchema = closed({
  attempts: list(attemptSchema),
  next_before: nullable(Type.String({ description: '`before` of the next page; null on the last.' })),
});

export const pendingSchema = named(
  'PendingPostbacks',
  closed({
    pending: { ...count, description: 'Messages that wait.' },
    oldest_seconds: nullable(Type.Number({ minimum: 0, description: 'For how long the oldest of them has waited.' })),
    hosts: list(closed({ host: text, pending: count, oldest_seconds: Type.Number({ minimum: 0 }) })),
    complete: Type.Boolean({ description: 'False where more wait than are counted: then the oldest are.' }),
  }),
);

export const replaySchema = closed(
  optional({
    postback_id: uuid,
    from: day,
    to: day,
    event: Type.String({ pattern: WEBHOOK_EVENT_PATTERN }),
    outcome: choice(REPLAYED_OUTCOMES, { type: 'string' }),
    partner_id: id,
    webhook_id: id,
    install_id: installId,
    dry_run: Type.Boolean({ default: true }),
    after: Type.String({ maxLength: 1_000, description: '`next` of the request before.' }),
  }),
  { title: 'ReplayOfPostbacks' },
);
const next = Type.String({ description: 'There is more: `after` of the next request, with the same fields.' });
export const replayedSchema = closed(optional({ would_send: count, sent: count, next }));

const templateSchema = closed({
  method: choice(METHODS, { type: 'string' }),
  url: Type.String({ minLength: 1, maxLength: MAX_URL }),
  ...optional({
    headers: mapTo(Type.String({ maxLength: 1024 }), { maxProperties: MAX_HEADERS }),
    body: ofTypes<TemplateBody | null>(['string', 'object', 'array', 'null']),
  }),
});
const dryRun = Type.Boolean({ default: false, description: 'The request is made and shown, and not sent.' });
export const testSchema = closed(
  optional({
    template: templateSchema,
    webhook_id: id,
    withhold: list(choice(WITHHELD, { type: 'string' }), { uniqueItems: true }),
    event: Type.String({ pattern: WEBHOOK_EVENT_PATTERN }),
    install_id: installId,
    dry_run: dryRun,
  }),
  { title: 'TestOfDestination' },
);
export const partnerTestSchema = closed(
  {
    template: templateSchema,
    ...optional({ event: Type.String({ pattern: WEBHOOK_EVENT_PATTERN }), dry_run: dryRun }),
  },
  { title: 'TestOfPostback' },
);
export const testedSchema = named(
  'TestedDestination',
  closed({
    postback_id: text,
    sample: Type.Boolean({ description: 'Whether the values are samples.' }),
    request: closed({ method: text, url: text, headers: mapTo(text), body: maybe }),
    answer: nullable(closed({ status: nullable(Type.Integer()), latency_ms: count, error: maybe })),
  }),
);
