/** What an alert waits for (docs/contract/alerts.md). */
import { ApiError } from '../errors';
import { choice, closed, named, optional, rowId, Type, type Static, type TSchema } from '../lib/schema';
import { validator } from '../lib/validate';

const MAX_HOURS = 24 * 14;
/** The same hours of the day before: no more than a day. */
const MAX_REFUSAL_HOURS = 24;

export const KINDS = ['click', 'impression', 'ctv_impression', 'app_event', 'web_event'] as const;
export type Kind = (typeof KINDS)[number];

const partner = { ...rowId, description: 'Of this partner only.' };

/** Each type of condition, by its name. */
export const conditions = {
  threshold: closed({
    type: choice(['threshold'], { type: 'string' }),
    direction: choice(['above', 'below'], { type: 'string' }),
    value: Type.Number({ minimum: -1e15, maximum: 1e15 }),
  }),
  change: closed({
    type: choice(['change'], { type: 'string' }),
    direction: choice(['up', 'down', 'either'], { type: 'string' }),
    percent: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
    ...optional({
      compare: choice(['previous_period', 'previous_year'], { type: 'string', default: 'previous_period' }),
    }),
  }),
  unusual: closed({
    type: choice(['unusual'], { type: 'string' }),
    factor: Type.Number({ minimum: 1, maximum: 100, description: 'How many deviations from the median are unusual.' }),
  }),
  nothing_received: closed({
    type: choice(['nothing_received'], { type: 'string' }),
    hours: Type.Integer({ minimum: 1, maximum: MAX_HOURS }),
    kind: choice(KINDS, { type: 'string' }),
    ...optional({
      partner_id: partner,
      campaign: Type.String({ minLength: 1, maxLength: 64, description: 'Of this campaign only: its display_id.' }),
    }),
  }),
  refusals_doubled: closed({
    type: choice(['refusals_doubled'], { type: 'string' }),
    hours: Type.Integer({ minimum: 1, maximum: MAX_REFUSAL_HOURS }),
    ...optional({
      minimum: Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        default: 100,
        description: 'Fewer refusals than this are none.',
      }),
      reason: Type.String({ minLength: 1, maxLength: 64, description: 'This reason only; by default each one.' }),
      partner_id: partner,
    }),
  }),
  export_late: closed({
    type: choice(['export_late'], { type: 'string' }),
    hours: Type.Integer({ minimum: 1, maximum: MAX_HOURS }),
    ...optional({
      export: Type.String({ minLength: 1, maxLength: 255, description: 'This export only, by name; by default each.' }),
    }),
  }),
} as const;

export type Condition = { [T in keyof typeof conditions]: Static<(typeof conditions)[T]> }[keyof typeof conditions];
export type ConditionType = Condition['type'];
/** Conditions on the figures of a question. */
export type FigureCondition = Extract<Condition, { type: 'threshold' | 'change' | 'unusual' }>;
/** Conditions on scheduled exports, which need no question either. */
export type ExportCondition = Extract<Condition, { type: 'export_late' }>;
/** Conditions on what is received, which need no question. */
export type ReceiptCondition = Exclude<Condition, FigureCondition | ExportCondition>;

export const conditionSchema = named('AlertCondition', Type.Unsafe<Condition>({ anyOf: Object.values(conditions) }));
/** Any condition, for bodies: which rule is broken, `readCondition` says better. */
export const givenCondition = Type.Unsafe<unknown>({ type: 'object' });

function toReader(schema: TSchema): (value: unknown) => Condition {
  const validate = validator(schema);
  return (value) => validate(value) as Condition;
}
const readers: Readonly<Record<string, (value: unknown) => Condition>> = Object.fromEntries(
  Object.entries(conditions).map(([type, schema]) => [type, toReader(schema)]),
);

export const isOnFigures = (condition: Condition): condition is FigureCondition =>
  condition.type === 'threshold' || condition.type === 'change' || condition.type === 'unusual';

export const isOnReceipts = (condition: Condition): condition is ReceiptCondition =>
  condition.type === 'nothing_received' || condition.type === 'refusals_doubled';

/** Records that carry their partner and campaign as they are received. */
const isTouch = (kind: Kind) => kind !== 'app_event' && kind !== 'web_event';

/** @throws ApiError 400 that names the field. */
export function readCondition(given: unknown): Condition {
  const { type } = given as { type?: unknown };
  const read = typeof type === 'string' && Object.hasOwn(conditions, type) ? readers[type] : undefined;
  if (!read) throw new ApiError(400, `condition.type: must be one of ${Object.keys(conditions).join(', ')}`);
  const condition = readWithin('condition', () => read(given));
  if (condition.type === 'nothing_received' && !isTouch(condition.kind))
    for (const field of ['partner_id', 'campaign'] as const)
      if (condition[field] !== undefined)
        throw new ApiError(400, `condition.${field}: an ${condition.kind} names none when it is received`);
  return condition;
}

/** What `read` says of a field, said of one within another. */
export function readWithin<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError(error.status, within(field, error.message));
    throw error;
  }
}

const within = (field: string, message: string) =>
  message.startsWith('body: ') ? `${field}: ${message.slice('body: '.length)}` : `${field}.${message}`;
