/**
 * What the typed client has to know of operations beside their types: which lists have pages and where their rows are,
 * what answers NDJSON, and what may be sent again when its answer was lost.
 */
import type { Schema } from '../openapi/operation';

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
  readonly 'x-repeatable'?: boolean;
}
interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** How a list is paged: by number or by what its last row was, where the rows are, and what tells them apart. */
interface Paging {
  readonly by: 'page' | 'before';
  /** The most that one page may have. */
  readonly limit?: number;
  /** The field of the answer with the rows and the pages; null where that is the answer itself. */
  readonly within: 'data' | null;
  readonly rows: string;
  /** The field that tells rows of numbered pages apart; null where no single one does. */
  readonly id: string | null;
}

/** What identifies a row, the best first. */
const IDS = ['display_id', 'id'];

const constant = (name: string, value: unknown) => `export const ${name} = ${JSON.stringify(value)} as const;\n`;

/** The text of a module: `PAGES`, `STREAMS`, `REPEATABLE` and `KEYED`. */
export function describeOperations(document: Schema): string {
  const { paths, components } = document as unknown as Reference;
  const all = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at, method, operation })),
  );
  const pages = all.flatMap(({ at, method, operation }) => {
    const paging = method === 'get' ? readPaging(operation, components.schemas) : undefined;
    return paging ? [[at, paging] as const] : [];
  });
  const streams = all.filter(({ operation }) => operation.responses[200]?.content?.['application/x-ndjson']);
  const list = (chosen: typeof all) => chosen.map(({ at, method }) => `${method.toUpperCase()} ${at}`).sort();
  return [
    constant('PAGES', Object.fromEntries(pages)),
    constant(
      'STREAMS',
      Object.fromEntries(streams.map(({ at, method, operation }) => [at, describeStream(method, operation)])),
    ),
    constant('REPEATABLE', list(all.filter(({ operation }) => operation['x-repeatable']))),
    constant('KEYED', list(all.filter(({ operation }) => hasParameter(operation, 'Idempotency-Key')))),
  ].join('');
}

/** How a stream is asked for, and whether NDJSON is one of several formats of it. */
const describeStream = (method: string, operation: Described) => ({
  method: method.toUpperCase(),
  takesFormat: hasParameter(operation, 'format'),
});

const hasParameter = ({ parameters = [] }: Described, wanted: string) => parameters.some(({ name }) => name === wanted);

function readPaging(operation: Described, schemas: Reference['components']['schemas']): Paging | undefined {
  const by = (['page', 'before'] as const).find((name) => hasParameter(operation, name));
  const answer = operation.responses[200]?.content?.['application/json']?.schema;
  if (!by || !answer) return undefined;
  const resolve = (schema: Schema): Schema =>
    typeof schema.$ref === 'string' ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const fieldsIn = (schema: Schema) => (resolve(schema).properties ?? {}) as Record<string, Schema>;
  const { data } = fieldsIn(answer);
  const fields = fieldsIn(data ?? answer);
  const lists = Object.entries(fields).filter(([, schema]) => isListOfObjects(schema, resolve));
  const [first, ...others] = lists;
  if (!first || others.length > 0)
    throw new Error(`Which list has the rows? ${lists.map(([name]) => name).join(', ')}`);
  const [rows, { items }] = first;
  const row = fieldsIn(items as Schema);
  const limit = operation.parameters?.find(({ name }) => name === 'limit')?.schema.maximum as number | undefined;
  return {
    by,
    ...(limit === undefined ? {} : { limit }),
    within: data ? 'data' : null,
    rows,
    id: IDS.find((name) => name in row) ?? null,
  };
}

const isListOfObjects = ({ type, items }: Schema, resolve: (schema: Schema) => Schema): boolean =>
  type === 'array' && resolve((items ?? {}) as Schema).properties !== undefined;
