/** Reads the body of a query into a question that means something (docs/contract/queries.md). */
import { ApiError } from '../errors';
import { closed, list, choice, optional, Type } from '../lib/schema';
import { validator } from '../lib/validate';
import { normaliseText } from '../lib/text';
import { addDays, daysInRange, isDay } from '../lib/time';
import { APP, VIEWS } from '../figures/app-model';
import type { Filter } from '../figures/compile';
import { isUnknownBy, knows, type Dimension, type Metric, type Model } from '../figures/model';
import { WEB } from '../figures/web-model';

export const SOURCES = { app: APP, web: WEB } as const;
const MODELS = ['last_touch', 'first_touch'] as const;
const OPERATORS = ['is', 'is_not', 'contains', 'contains_not'] as const;
const INCLUDES = ['totals', 'organic', 'sql'] as const;
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;
/** The most rows before a page: nobody reads further back. */
const MAX_OFFSET = 10_000_000;
const MAX_VALUES = 1_000;
const MAX_FILTERS = 20;
const MAX_SORTS = 3;
const MAX_TEXT = 500;

const name = Type.String({ minLength: 1, maxLength: MAX_TEXT });
export const day = Type.String({ format: 'day' });
/** A filter, `[operator, dimension, [values]]`; ajv's tuples say less about what is wrong than our own check. */
const filter = list(Type.Unsafe<string | string[]>({ type: ['string', 'array'] }), { minItems: 3, maxItems: 3 });
const sort = list(Type.String({ maxLength: MAX_TEXT }), { minItems: 2, maxItems: 2 });

/** All of a question but its days. */
export const queryFields = {
  source: choice(['app', 'web'], { type: 'string' }),
  metrics: list(name, { minItems: 1, maxItems: 20 }),
  ...optional({
    view: choice(VIEWS, { type: 'string' }),
    model: choice(MODELS, { type: 'string' }),
    dimensions: list(name, { maxItems: 4 }),
    filters: list(filter, { maxItems: MAX_FILTERS }),
    compare: Type.Unsafe<string | { from: string; to: string }>({ type: ['string', 'object'] }),
    order_by: list(sort, { maxItems: MAX_SORTS }),
    limit: Type.Integer({ minimum: 1, maximum: MAX_LIMIT }),
    offset: Type.Integer({ minimum: 0, maximum: MAX_OFFSET }),
    include: list(choice(INCLUDES, { type: 'string' }), { maxItems: INCLUDES.length }),
  }),
};
export const querySchema = closed({ ...queryFields, from: day, to: day });

export interface Range {
  readonly from: string;
  readonly to: string;
}

/** A question, with everything that was left out filled in. */
export interface Query extends Range {
  readonly source: keyof typeof SOURCES;
  /** For app campaigns. */
  readonly view: (typeof VIEWS)[number];
  /** For web visits: which touch is credited. */
  readonly model: (typeof MODELS)[number];
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly string[];
  readonly filters: readonly Filter[];
  /** The range to compare with; each of its days stands for the one `days` days, or `years` years, later. */
  readonly compare: (Range & { readonly days: number; readonly years: number }) | undefined;
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset: number;
  readonly include: readonly (typeof INCLUDES)[number][];
}

const validate = validator(querySchema);
const bad = (message: string) => new ApiError(400, message);

/** @throws ApiError 400 that names what is wrong and lists what is legal. */
export function readQueryInput(body: unknown): Query {
  const given = validate(body);
  if (given.from > given.to) throw bad('from must not be after to.');
  if (given.source === 'web' && given.view !== undefined) throw bad('view belongs to source app; of web it is model.');
  if (given.source === 'app' && given.model !== undefined) throw bad('model belongs to source web; of app it is view.');
  const source = SOURCES[given.source];
  const legal = listNames(source.dimensions.filter(isOfRows));
  const dimensions = distinct('dimensions', given.dimensions ?? []);
  for (const dimension of dimensions) if (!legal.includes(dimension)) throw unknown('dimension', dimension, legal);
  const metrics = distinct('metrics', given.metrics).map((one) => {
    const metric = source.metric(one);
    if (!metric) throw unknown('metric', one, source.metricNames);
    return metric;
  });
  const filters = (given.filters ?? []).map((filter, at) => readFilter(filter, at, source));
  checkTogether(metrics, dimensions, filters, source);
  return {
    source: given.source,
    view: given.view ?? 'user_acquisition',
    model: given.model ?? 'last_touch',
    metrics,
    dimensions,
    filters,
    from: given.from,
    to: given.to,
    compare: given.compare === undefined ? undefined : readCompare(given.compare, given),
    orderBy: readOrder(given.order_by, metrics, dimensions, source),
    limit: given.limit ?? DEFAULT_LIMIT,
    offset: given.offset ?? 0,
    include: given.include ?? ['organic'],
  };
}

const isOfRows = ({ isFilter }: Dimension) => !isFilter;
const isTime = (source: Model, name: string) => source.dimensions.some((one) => one.name === name && one.isTime);
/** Whether the rows of a query are of days, hours, weeks or months. */
export const isOverTime = ({ source, dimensions }: Query): boolean =>
  dimensions.some((one) => isTime(SOURCES[source], one));
const isOfFilters = ({ isTime }: Dimension) => !isTime;
const listNames = (ones: readonly { readonly name: string }[]) => ones.map(({ name }) => name);

/** The dimensions that have filters. */
export const filterNames = (source: Query['source']) => listNames(SOURCES[source].dimensions.filter(isOfFilters));

const unknown = (what: string, value: string, legal: readonly string[]) =>
  bad(`Unknown ${what}: ${JSON.stringify(value)}. Legal: ${legal.join(', ')}.`);

function distinct(field: string, names: readonly string[]): readonly string[] {
  const twice = names.find((one, at) => names.indexOf(one) !== at);
  if (twice !== undefined) throw bad(`${field} names ${JSON.stringify(twice)} twice.`);
  return names;
}

/** Days on which a dimension of a time has no filter: the range is given by from and to. */
function readFilter(given: readonly (string | readonly string[])[], at: number, source: Model): Filter {
  const [operator, dimension, values] = given;
  const field = `filters[${at}]`;
  const legal = OPERATORS.find((one) => one === operator);
  if (!legal) throw unknown(`operator in ${field}`, String(operator), OPERATORS);
  const filters = listNames(source.dimensions.filter(isOfFilters));
  if (typeof dimension !== 'string' || !filters.includes(dimension)) {
    const known = source.dimensions.some(({ name: one }) => one === dimension);
    throw known
      ? bad(`${field}: ${String(dimension)} has no filter; days are chosen by from and to.`)
      : unknown(`dimension in ${field}`, String(dimension), filters);
  }
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES)
    throw bad(`${field}: the third item must be an array of 1 to ${MAX_VALUES} texts.`);
  if (!values.every((value) => typeof value === 'string' && value.length <= MAX_TEXT))
    throw bad(`${field}: values must be texts of at most ${MAX_TEXT} characters.`);
  return { operator: legal, dimension, values: (values as string[]).map(normaliseText) };
}

/** Each metric must have each dimension, known or not; a metric without it says of which ones it is known. */
function checkTogether(
  metrics: readonly Metric[],
  dimensions: readonly string[],
  filters: readonly Filter[],
  source: Model,
): void {
  const uses = [
    ...dimensions.map((dimension) => ({ dimension, use: 'by', isLegal: isOfRows })),
    ...filters.map(({ dimension }) => ({ dimension, use: 'filtered by', isLegal: isOfFilters })),
  ];
  for (const { dimension, use, isLegal } of uses)
    for (const metric of metrics) {
      const known = listNames(source.dimensions.filter((one) => knows(metric, one)));
      if (known.includes(dimension)) continue;
      if (source.dimensions.some((one) => one.name === dimension && isUnknownBy(metric, one))) continue;
      const legal = listNames(source.dimensions.filter((one) => isLegal(one) && knows(metric, one)));
      throw bad(`${metric.name} cannot be asked for ${use} ${dimension}; it can by ${legal.join(', ')}.`);
    }
}

function readOrder(
  given: readonly (readonly string[])[] | undefined,
  metrics: readonly Metric[],
  dimensions: readonly string[],
  source: Model,
): Query['orderBy'] {
  const names = [...metrics.map((metric) => metric.name), ...dimensions];
  if (!given) {
    const time = dimensions.find((one) => isTime(source, one));
    if (time !== undefined) return [{ name: time, descending: false }];
    return [{ name: (metrics[0] as Metric).name, descending: true }];
  }
  return given.map(([one = '', direction = ''], at) => {
    if (!names.includes(one)) throw unknown(`name in order_by[${at}]`, one, names);
    if (direction !== 'asc' && direction !== 'desc')
      throw unknown(`direction in order_by[${at}]`, direction, ['asc', 'desc']);
    return { name: one, descending: direction === 'desc' };
  });
}

/** Before the year 1 there are no days to write. */
const MIN_COMPARED = '0001-01-01';
const COMPARISONS = ['previous_period', 'previous_year'];

function readCompare(given: string | { from: string; to: string }, range: Range): Query['compare'] {
  if (given === 'previous_period') {
    const days = daysInRange(range.from, range.to);
    if (days >= daysInRange(MIN_COMPARED, range.from)) throw bad('compare: there are not as many days before from.');
    return { from: addDays(range.from, -days), to: addDays(range.to, -days), days, years: 0 };
  }
  if (given === 'previous_year') return { from: yearBefore(range.from), to: yearBefore(range.to), days: 0, years: 1 };
  const { from, to, ...more } = typeof given === 'object' ? given : { from: '', to: '' };
  if (typeof from !== 'string' || typeof to !== 'string' || !isDay(from) || !isDay(to) || Object.keys(more).length > 0)
    throw bad(`compare must be one of ${COMPARISONS.join(', ')}, or an object with the days from and to.`);
  if (from > to) throw bad('compare.from must not be after compare.to.');
  return { from, to, days: daysInRange(from, range.from) - 1, years: 0 };
}

/** The same day a year before; of February 29 the 28th. */
function yearBefore(day: string): string {
  const before = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`;
  return isDay(before) ? before : addDays(day, -366);
}

/** The metrics that a dimension or a filter makes unknown. */
export function unknownIn({ source, metrics, dimensions, filters }: Query): string[] {
  const used = [...dimensions, ...filters.map(({ dimension }) => dimension)];
  const dimensionsUsed = SOURCES[source].dimensions.filter(({ name: one }) => used.includes(one));
  return listNames(metrics.filter((metric) => dimensionsUsed.some((one) => isUnknownBy(metric, one))));
}

/** The question as it was understood, for the answer. */
export const resolved = (query: Query) => ({
  source: query.source,
  ...(query.source === 'app' ? { view: query.view } : { model: query.model }),
  metrics: query.metrics.map((metric) => metric.name),
  dimensions: query.dimensions,
  filters: query.filters.map(({ operator, dimension, values }) => [operator, dimension, values]),
  from: query.from,
  to: query.to,
  ...(query.compare ? { compare: { from: query.compare.from, to: query.compare.to } } : {}),
  order_by: query.orderBy.map(({ name: one, descending }) => [one, descending ? 'desc' : 'asc']),
  limit: query.limit,
  offset: query.offset,
  include: query.include,
});
