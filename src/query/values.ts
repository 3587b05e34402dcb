/** `GET /api/v1/reporting/values`: what a dimension holds (docs/contract/queries.md). */
import { ApiError } from '../errors';
import { wrong } from '../lib/parameters';
import { choice, Type } from '../lib/schema';
import { queryParameter, readAs, required } from '../openapi/operation';
import type { QueryBudget } from '../reporting/query-budget';
import { filterNames, readQueryInput, SOURCES, type Query } from '../questions/query-input';
import { buildStatement, type Parameters } from '../questions/statements';

const MAX_SEARCH = 500;
export const MAX_LISTED = 100;
/** More than there are. */
const MAX_COUNTRIES = 1_000;
/** What is counted of each value. */
const COUNTED: Readonly<Record<Query['source'], string>> = { app: 'installs', web: 'visitors' };
/** Before the product, and longer than anybody keeps data. */
const EVER = { from: '2000-01-01', to: '2100-01-01' };

export interface ValuesInput {
  readonly source: Query['source'];
  readonly dimension: string;
  /** Undefined for all values. */
  readonly search: string | undefined;
}

export interface ValuesAnswer {
  readonly values: readonly { readonly value: string; readonly label: string; readonly count: number }[];
}

export const valuesParameters = [
  readAs(
    queryParameter(
      'source',
      'Of app campaigns or of web visits.',
      choice(['app', 'web'], { type: 'string', default: 'app' }),
    ),
    (sent = 'app') => {
      if (sent !== 'app' && sent !== 'web') throw wrong('source', 'must be app or web');
      return sent;
    },
  ),
  readAs(
    required(
      queryParameter(
        'dimension',
        `Of app: ${filterNames('app').join(', ')}; of web: ${filterNames('web').join(', ')}.`,
        Type.String(),
        'country',
      ),
    ),
    (sent = '') => sent,
  ),
  queryParameter(
    'search',
    'Only values that contain it, or are called so: literally, in any case.',
    Type.String({ maxLength: MAX_SEARCH }),
  ),
] as const;

/** @throws ApiError 400 that lists the dimensions of the source, where the one that is asked for is none of them. */
export function checkDimension({ source, dimension }: ValuesInput): void {
  const legal = filterNames(source);
  if (!legal.includes(dimension))
    throw new ApiError(400, `Unknown dimension: ${JSON.stringify(dimension)}. Legal: ${legal.join(', ')}.`);
}

/** The statement counts what the model counts by that dimension, of all time. */
export async function listValues(
  budget: QueryBudget,
  about: Parameters,
  { source, dimension, search }: ValuesInput,
): Promise<ValuesAnswer> {
  const asked = SOURCES[source].dimensions.find(({ name }) => name === dimension);
  const names = asked?.namesSource;
  // The engine knows codes of countries alone: what they are called is told, and searched, here.
  const isCountry = asked?.format === 'country';
  const question = readQueryInput({
    source,
    ...EVER,
    metrics: [COUNTED[source]],
    dimensions: [names ?? dimension],
    limit: isCountry ? MAX_COUNTRIES : MAX_LISTED,
  });
  const part = search === undefined || isCountry ? {} : { search: { text: search, labelsOnly: names !== undefined } };
  const { text, params, columns } = buildStatement(question, about, part);
  const rows = await budget.rows({ name: 'query', text }, params);
  const [value = ''] = columns.dimensions;
  const label = columns.labels[0] ?? value;
  // Campaigns may share a name.
  const counts = new Map<string, { label: string; count: number }>();
  for (const row of rows) {
    const key = String(row[names === undefined ? value : label]);
    const count = Number(row[COUNTED[source]]) + (counts.get(key)?.count ?? 0);
    counts.set(key, { label: String(row[label]), count });
  }
  const values = [...counts].map(([one, more]) => ({ value: one, ...more })).sort((a, b) => b.count - a.count);
  return { values: isCountry ? findCountries(values, search) : values };
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const nameCountry = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code);

/** Countries with their English names, those whose code or name contains the search. */
function findCountries(values: ValuesAnswer['values'], search = ''): ValuesAnswer['values'] {
  const wanted = search.toLowerCase();
  return values
    .map((one) => ({ ...one, label: nameCountry(one.value) }))
    .filter(({ value, label }) => `${value}\n${label}`.toLowerCase().includes(wanted))
    .slice(0, MAX_LISTED);
}
