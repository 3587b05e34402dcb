/** What the tools take, as JSON Schema (docs/contract/mcp.md). Models read the descriptions. */
import { choice, closed, list, optional, rowId, Type } from '../lib/schema';

export const ROWS = { maximum: 1_000, default: 100 };
export const PARTS = { maximum: 100, default: 20 };

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });
const text = (description: string, maxLength = 500) => Type.String({ minLength: 1, maxLength, description });
const limit = ({ maximum, default: usual }: typeof ROWS, what: string) =>
  Type.Integer({ minimum: 1, maximum, default: usual, description: `${what}; ${usual} unless given.` });

const source = choice(['app', 'web'], { type: 'string', description: 'Figures of app campaigns, or of web visits.' });
const from = day("First day, YYYY-MM-DD, in the project's time zone.");
const to = day('Last day, included.');
const which = optional({
  filters: list(
    closed({
      operator: choice(['is', 'is_not', 'contains', 'contains_not'], { type: 'string' }),
      dimension: text('A dimension that has filters.'),
      values: list(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 100 }),
    }),
    { maxItems: 20, description: 'All must hold; in any case of letters. Days are chosen by from and to.' },
  ),
  view: choice(['user_acquisition', 'retargeting'], { type: 'string', description: 'Of source app.' }),
  model: choice(['last_touch', 'first_touch'], { type: 'string', description: 'Of source web: what is credited.' }),
  organic: Type.Boolean({ description: 'Whether what no campaign is credited with counts; true unless given.' }),
});
const comparedRange = closed({ from: day('First day.'), to: day('Last day.') });

export const queryInput = closed({
  source,
  metrics: list(text('The name of a metric.'), { minItems: 1, maxItems: 20 }),
  from,
  to,
  ...which,
  ...optional({
    dimensions: list(text('The name of a dimension.'), { maxItems: 4, description: 'What rows are grouped by.' }),
    compare: closed({ ...comparedRange.properties }, { description: 'A range whose figures stand beside each row.' }),
    order_by: list(
      closed({
        name: text('A metric or dimension that is asked for.'),
        direction: choice(['asc', 'desc'], { type: 'string' }),
      }),
      { maxItems: 3 },
    ),
    limit: limit(ROWS, 'Rows'),
    offset: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Rows before the first one.' }),
    totals: Type.Boolean({ description: 'Whether to add one row over all rows, in which nobody counts twice.' }),
  }),
});

export const changeInput = closed({
  source,
  metric: text('The name of a metric.'),
  dimension: text('The dimension whose values are the parts; no time.'),
  from,
  to,
  ...which,
  ...optional({
    compare: closed(
      { ...comparedRange.properties },
      { description: 'The range before; as many days before from unless given.' },
    ),
    limit: limit(PARTS, 'Parts that are shown, those that changed most; the others are summed up'),
  }),
});

export const installInput = closed({ install_id: text('The installation, as its SDK names it.', 200) });

export const tablesInput = closed(optional({ table: text('A table whose columns are wanted; all tables without.') }));

export const sqlInput = closed({
  query: text('One SELECT statement of ClickHouse, without FORMAT.', 100_000),
  ...optional({ limit: limit(ROWS, 'Rows') }),
});

export const qualityInput = closed({
  from,
  to,
  ...optional({ partner_id: { ...rowId, description: 'One partner only.' } }),
});
