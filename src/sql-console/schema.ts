/** What the SQL endpoints take and answer, as JSON Schema (docs/contract/sql.md). */
import { closed, instant, list, named, nullable, choice, optional, Type } from '../lib/schema';

/** Rows of an answer, and of a file. */
export const ROWS = { default: 1_000, maximum: 10_000, file: 100_000 } as const;
const MAX_STATEMENT = 100_000;
/** Saved statements of a project. */
export const MAX_SAVED = 500;

const text = Type.String();
const statement = Type.String({ minLength: 1, maxLength: MAX_STATEMENT });

export const statementSchema = closed({
  query: { ...statement, description: 'One statement for reading, without FORMAT.' },
  ...optional({
    limit: Type.Integer({ minimum: 1, maximum: ROWS.file, description: `Rows; ${ROWS.default} unless said.` }),
  }),
});
export const resultSchema = named(
  'SqlResult',
  closed({
    columns: list(closed({ name: text, type: Type.String({ description: 'As ClickHouse names it.' }) })),
    rows: list(list(Type.Unknown()), {
      description: 'Values in the order of `columns`. Numbers that JavaScript cannot hold exactly are text.',
    }),
    rows_read: nullable(Type.Integer({ description: 'Null: it would count rows of other projects.' })),
    bytes_read: nullable(Type.Integer()),
    elapsed_ms: Type.Integer({ minimum: 0 }),
    truncated: Type.Boolean({ description: 'Whether there would be more rows.' }),
  }),
);

const column = closed({
  name: text,
  type: text,
  comment: text,
  personal_data: choice(['personal', 'pseudonymous', 'none', null], {
    description: 'What the column is; null where it is computed and nothing says so.',
  }),
});
export const schemaSchema = closed({
  database: text,
  tables: list(named('SqlTable', closed({ name: text, comment: text, columns: list(column) }))),
  functions: list(closed({ name: text, is_aggregate: Type.Boolean() }), {
    description: 'Functions of ClickHouse that a statement may call.',
  }),
});

export const savedInputSchema = closed({
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  query: statement,
});
export const savedSchema = named(
  'SavedQuery',
  closed({
    id: Type.Integer(),
    name: text,
    query: text,
    created_by: text,
    created_at: instant,
    updated_at: instant,
  }),
);
export const savedListSchema = closed({ saved_queries: list(savedSchema) });
