/** Reads the body of a question about a funnel into a question that means something (docs/contract/queries.md). */
import { ApiError } from '../errors';
import { choice, closed, list, optional, Type } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { validator } from '../lib/validate';

export const DIMENSIONS = ['campaign', 'network', 'partner', 'channel', 'country', 'platform'] as const;
export const MIN_STEPS = 2;
export const MAX_STEPS = 8;
export const MAX_WINDOW_SECONDS = 90 * 86_400;
export const DEFAULT_WINDOW_SECONDS = 7 * 86_400;
export const MAX_ROWS = 200;
const DEFAULT_ROWS = 50;
const OPERATORS = ['is', 'is_not', 'contains', 'contains_not'] as const;
const ORDERS = ['open', 'strict'] as const;
const TYPES = ['install', 'open', 'signup', 'payment', 'refund', 'uninstall'] as const;
const EVENT = 'event:';
const MAX_FILTERS = 20;
const MAX_VALUES = 1_000;
const MAX_TEXT = 500;

const day = Type.String({ format: 'day' });

export const funnelSchema = closed({
  steps: list(
    Type.String({
      minLength: 1,
      maxLength: EVENT.length + MAX_TEXT,
      description: `One of ${TYPES.join(', ')}, or event:<name>.`,
    }),
    { minItems: MIN_STEPS, maxItems: MAX_STEPS },
  ),
  from: day,
  to: day,
  ...optional({
    order: choice(ORDERS, { type: 'string', description: 'In open order other events may lie between the steps.' }),
    window_seconds: Type.Integer({ minimum: 1, maximum: MAX_WINDOW_SECONDS }),
    dimensions: list(Type.String({ maxLength: MAX_TEXT }), { maxItems: 2 }),
    filters: list(list(Type.Unsafe<string | string[]>({ type: ['string', 'array'] }), { minItems: 3, maxItems: 3 }), {
      maxItems: MAX_FILTERS,
    }),
    limit: Type.Integer({ minimum: 1, maximum: MAX_ROWS }),
  }),
});

export interface Step {
  readonly type: string;
  /** The name of an event; empty for other types. */
  readonly name: string;
}

export interface Filter {
  readonly operator: (typeof OPERATORS)[number];
  readonly dimension: string;
  readonly values: readonly string[];
}

/** A question, with everything that was left out filled in. Days are the project's, both inclusive. */
export interface Funnel {
  readonly steps: readonly Step[];
  readonly from: string;
  readonly to: string;
  readonly order: (typeof ORDERS)[number];
  readonly windowSeconds: number;
  readonly dimensions: readonly string[];
  readonly filters: readonly Filter[];
  readonly limit: number;
}

const validate = validator(funnelSchema);
const bad = (message: string) => new ApiError(400, message);
const unknown = (what: string, value: string, legal: readonly string[]) =>
  bad(`Unknown ${what}: ${JSON.stringify(value)}. Legal: ${legal.join(', ')}.`);

/** @throws ApiError 400 that names what is wrong and lists what is legal. */
export function readFunnelInput(body: unknown): Funnel {
  const given = validate(body);
  if (given.from > given.to) throw bad('from must not be after to.');
  const dimensions = given.dimensions ?? [];
  for (const one of dimensions) if (!isDimension(one)) throw unknown('dimension', one, DIMENSIONS);
  if (new Set(dimensions).size < dimensions.length) throw bad('dimensions names one twice.');
  return {
    steps: given.steps.map(readStep),
    from: given.from,
    to: given.to,
    order: given.order ?? 'open',
    windowSeconds: given.window_seconds ?? DEFAULT_WINDOW_SECONDS,
    dimensions,
    filters: (given.filters ?? []).map(readFilter),
    limit: given.limit ?? DEFAULT_ROWS,
  };
}

const isDimension = (name: unknown): name is string => DIMENSIONS.some((one) => one === name);

function readStep(step: string, at: number): Step {
  if (step.startsWith(EVENT)) {
    const name = normaliseText(step.slice(EVENT.length));
    if (name === '') throw bad(`steps[${at}]: event: must be followed by the name of an event.`);
    return { type: 'event', name };
  }
  if (!TYPES.some((one) => one === step)) throw unknown(`step in steps[${at}]`, step, [...TYPES, `${EVENT}<name>`]);
  return { type: step, name: '' };
}

function readFilter([operator, dimension, values]: readonly (string | readonly string[])[], at: number): Filter {
  const field = `filters[${at}]`;
  const legal = OPERATORS.find((one) => one === operator);
  if (!legal) throw unknown(`operator in ${field}`, String(operator), OPERATORS);
  if (!isDimension(dimension)) throw unknown(`dimension in ${field}`, String(dimension), DIMENSIONS);
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES)
    throw bad(`${field}: the third item must be an array of 1 to ${MAX_VALUES} texts.`);
  if (!values.every((value) => typeof value === 'string' && value.length <= MAX_TEXT))
    throw bad(`${field}: values must be texts of at most ${MAX_TEXT} characters.`);
  return { operator: legal, dimension, values: (values as string[]).map(normaliseText) };
}

/** The question as it was understood, for the answer. */
export const resolved = (funnel: Funnel) => ({
  steps: funnel.steps.map(({ type, name }) => (type === 'event' ? `${EVENT}${name}` : type)),
  from: funnel.from,
  to: funnel.to,
  order: funnel.order,
  window_seconds: funnel.windowSeconds,
  dimensions: funnel.dimensions,
  filters: funnel.filters.map(({ operator, dimension, values }) => [operator, dimension, values]),
  limit: funnel.limit,
});
