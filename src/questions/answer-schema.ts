/** The answer to a question as JSON Schema (docs/contract/queries.md). */
import { closed, instant, list, named, nullable, Type } from '../lib/schema';

const text = Type.String();
const values = list(nullable(Type.Number()), {
  description: 'In the order of `metrics`; null where there is no value.',
});
const result = named(
  'QueryResult',
  closed({
    dimensions: list(text, { description: 'In the order of `dimensions`.' }),
    labels: list(text, { description: 'What each of them is called.' }),
    metrics: values,
    comparison: Type.Optional(values),
  }),
);
const meta = closed({
  rows: Type.Integer({ minimum: 0, description: 'Rows on all pages.' }),
  currency: text,
  timezone: text,
  unconverted_currencies: Type.Optional(
    list(text, { description: 'Currencies without an exchange rate; their amounts are left out.' }),
  ),
  unknown: Type.Optional(
    list(text, { description: 'Metrics that a dimension or a filter makes unknown: null where they are.' }),
  ),
  complete_until: nullable({
    ...instant,
    description: 'Everything accepted up to then is in the figures; null while that is not known.',
  }),
  cohorts_mature_until: Type.Optional(
    Type.String({ format: 'date', description: 'Installs up to this day count for all cohort metrics.' }),
  ),
});
export const answerSchema = closed({
  results: list(result),
  totals: Type.Optional(values),
  meta,
  query: Type.Object({}, { description: 'The question as it was understood, with all defaults.' }),
  sql: Type.Optional(
    Type.String({ description: 'The statement of the rows, values written in, over views of `analytics`.' }),
  ),
});
