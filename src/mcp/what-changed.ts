/** Why a figure differs between two ranges, by the values of a dimension (docs/contract/mcp.md). */
import { ApiError } from '../errors';
import type { Row } from '../db/postgres';
import type { AskParts } from '../questions/ask';
import { prepare } from '../questions/answer';
import { resolved, SOURCES, unknownIn, readQueryInput, type Query, type Range } from '../questions/query-input';
import { buildStatement, type Parameters, type Part } from '../questions/statements';
import type { QueryBudget } from '../reporting/query-budget';
import { decompose, readFigure, readUnits, writeUnits, type Change, type Group, type Scale, type Sums } from './change';

/** More values of a dimension are not taken apart. */
const MAX_GROUPS = 10_000;

interface SumsRow extends Row {
  amount: string;
  less?: string;
  divisor?: string;
  unconverted?: string[];
}

/** One metric by one dimension, with the range that it is compared with: that before it unless another one is named. */
export function readChangeInput(body: Readonly<Record<string, unknown>>): Query {
  const { metric, dimension, compare, ...more } = body;
  const query = readQueryInput({
    ...more,
    metrics: [metric],
    dimensions: [dimension],
    compare: compare ?? 'previous_period',
  });
  const { name, isTime } = SOURCES[query.source].dimensions.find(
    (one) => one.name === query.dimensions[0],
  ) as (typeof SOURCES)['app']['dimensions'][number];
  if (isTime) throw new ApiError(400, `dimension: ${name} is a time; the ranges are compared by something else`);
  if (unknownIn(query).length > 0)
    throw new ApiError(400, `metric: ${query.metrics[0]?.name} is not known by ${name}, or with these filters`);
  return query;
}

/**
 * The difference of a metric between the ranges of the question, as parts that add up to it.
 *
 * @throws ApiError 400 for a metric that has no value in one of the ranges, 503 as of queries.
 */
export async function explainChange(options: AskParts, projectId: number, query: Query, shown: number) {
  const { about, completeUntil } = await prepare(options, projectId, query.source);
  return options.reports.compute('query', async (budget) => {
    const ranges: readonly Range[] = [query.compare as Range, query];
    // One after the other: as much memory as a question.
    const [before, after] = [await readRange(budget, query, about, 0), await readRange(budget, query, about, 1)];
    const names = [...new Set([...before.groups.keys(), ...after.groups.keys()])];
    const nothing: Sums = { amount: 0n, ...(before.total.divisor === undefined ? {} : { divisor: 0n }) };
    const groups = names.map((name): Group => ({
      before: before.groups.get(name)?.sums ?? nothing,
      after: after.groups.get(name)?.sums ?? nothing,
    }));
    const scale = readScale(query);
    const found = decompose({ before: before.total, after: after.total }, groups, scale);
    if (!found)
      throw new ApiError(
        400,
        `metric: ${query.metrics[0]?.name} has no value in one of the ranges: nothing to divide by`,
      );
    const order = names.map((_, at) => at).sort((a, b) => compareSizes(found.parts[a], found.parts[b]));
    const rest = order.slice(shown).map((at) => found.parts[at] as Change);
    const unconverted = [...new Set([...before.unconverted, ...after.unconverted])].sort();
    return {
      before: writeUnits(found.before),
      after: writeUnits(found.after),
      difference: writeUnits(found.difference),
      parts: order.slice(0, shown).map((at) => {
        const [name, group] = [names[at] as string, groups[at] as Group];
        const label = (after.groups.get(name) ?? before.groups.get(name))?.label ?? name;
        return {
          value: name,
          label,
          before: writeOptional(readFigure(group.before, scale)),
          after: writeOptional(readFigure(group.after, scale)),
          ...presentChange(found.parts[at] as Change),
        };
      }),
      ...(rest.length > 0 ? { others: { values: rest.length, ...presentChange(sumChanges(rest)) } } : {}),
      remainder: writeUnits(found.remainder),
      meta: {
        metric: query.metrics[0]?.name,
        label: query.metrics[0]?.label,
        format: query.metrics[0]?.format,
        dimension: query.dimensions[0],
        ranges: { before: { from: ranges[0]?.from, to: ranges[0]?.to }, after: { from: query.from, to: query.to } },
        currency: about.currency,
        timezone: about.timezone,
        ...(unconverted.length > 0 ? { unconverted_currencies: unconverted } : {}),
        complete_until: completeUntil,
      },
      query: resolved(query),
    };
  });
}

/** What the metric is made of in a range, over all and by the values of the dimension. */
async function readRange(budget: QueryBudget, query: Query, about: Parameters, which: 0 | 1) {
  const { compare } = query;
  const range = which === 0 ? (compare as Range) : query;
  const read = async (part: Part) => {
    const { text, params, columns, mayLack } = buildStatement(query, about, { ...part, range, isExact: true });
    if (mayLack) throw new ApiError(400, 'metric: is not known by this dimension for every campaign');
    return { rows: await budget.rows<SumsRow>({ name: 'query', text }, params), columns };
  };
  const [total, all] = [
    await read({ totalsOver: query.dimensions, limit: 1, offset: 0 }),
    await read({ limit: MAX_GROUPS + 1, offset: 0 }),
  ];
  if (all.rows.length > MAX_GROUPS)
    throw new ApiError(400, `dimension: has more than ${MAX_GROUPS} values in a range; filter them, or choose another`);
  const [dimension = ''] = all.columns.dimensions;
  const label = all.columns.labels[0] ?? dimension;
  const groups = new Map(
    all.rows.map((row) => [String(row[dimension]), { sums: readSums(query, row), label: String(row[label]) }]),
  );
  return { total: readSums(query, total.rows[0]), groups, unconverted: total.rows[0]?.unconverted ?? [] };
}

/** What is taken off is taken off; a metric with it is no quotient. */
function readSums({ metrics }: Query, row: SumsRow | undefined): Sums {
  const [amount, less] = [readUnits(row?.amount ?? '0'), readUnits(row?.less ?? '0')];
  const isQuotient = metrics[0]?.divisor !== undefined && metrics[0].less === undefined;
  return { amount: amount - less, ...(isQuotient ? { divisor: readUnits(row?.divisor ?? '0') } : {}) };
}

/** The SQL that turns the quotient into the unit of the metric is a number to multiply or to divide by. */
function readScale({ metrics }: Query): Scale {
  const scale = metrics[0]?.scale ?? '';
  const [, sign, number = '1'] = /^ ([*/]) (\d+)$/.exec(scale) ?? [];
  if (scale !== '' && sign === undefined) throw new Error(`Not a number to scale by: ${scale}`);
  return sign === '/' ? { times: 1n, by: BigInt(number) } : { times: BigInt(number), by: 1n };
}

const size = (change: Change | undefined) => {
  const difference = change?.difference ?? 0n;
  return difference < 0n ? -difference : difference;
};
const compareSizes = (a: Change | undefined, b: Change | undefined) =>
  size(b) === size(a) ? 0 : size(b) > size(a) ? 1 : -1;

function sumChanges(changes: readonly Change[]): Change {
  const sum = (read: (one: Change) => bigint) => changes.reduce((all, one) => all + read(one), 0n);
  const difference = sum((one) => one.difference);
  if (!changes[0]?.effects) return { difference };
  const effect = (name: 'rate' | 'mix' | 'unmatched') => sum(({ effects }) => effects?.[name] ?? 0n);
  return { difference, effects: { rate: effect('rate'), mix: effect('mix'), unmatched: effect('unmatched') } };
}

const presentChange = ({ difference, effects }: Change) => ({
  difference: writeUnits(difference),
  ...(effects
    ? {
        effects: {
          rate: writeUnits(effects.rate),
          mix: writeUnits(effects.mix),
          unmatched: writeUnits(effects.unmatched),
        },
      }
    : {}),
});

const writeOptional = (units: bigint | undefined) => (units === undefined ? null : writeUnits(units));
