/** The schemas of the streams of integrations/airbyte, from what a running service declares of itself. */
import { dump } from 'js-yaml';
import type { Json, Stream } from './airbyte-manifest';

/** Asks the service with the key of a project. */
export type Ask = (path: string, body?: Json) => Promise<Response>;

interface SchemaAnswer {
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: string; readonly comment: string }[];
  }[];
}
interface ModelAnswer {
  readonly [source: string]: { readonly metrics: readonly { readonly name: string; readonly format: string }[] };
}

const orNull = (type: string, more: Json = {}): Json => ({ type: ['null', type], ...more });
const TIME = orNull('string', { format: 'date-time', airbyte_type: 'timestamp_with_timezone' });

/** The text below `schemas:` in the manifest. */
export async function writeSchemas(streams: readonly Stream[], ask: Ask): Promise<string> {
  const { tables } = (await (await ask('/api/v1/schema')).json()) as SchemaAnswer;
  const schemas: Record<string, Json> = {};
  for (const { name, retriever } of streams) {
    const view = tables.find((table) => table.name === name);
    const { request_body } = retriever.requester;
    if (request_body) schemas[name] = describe(await readReport(request_body.value, ask));
    else if (name === 'campaigns') schemas[name] = describe(await readCampaign(ask));
    else if (view) schemas[name] = describe(Object.fromEntries(view.columns.map(describeColumn)));
    else throw new Error(`Nothing declares the stream ${name}`);
  }
  return dump({ schemas }, { lineWidth: 90, noRefs: true }).replace(
    /type:\n +- 'null'\n +- (\w+)/g,
    "type: ['null', $1]",
  );
}

const describe = (properties: Json): Json => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: true,
  properties,
});

/** Comments say at their end whether a column is personal. */
function describeColumn({ name, type, comment }: SchemaAnswer['tables'][number]['columns'][number]): [string, Json] {
  return [name, { ...describeType(type), ...(comment !== '' && { description: comment }) }];
}

/** A type of ClickHouse as NDJSON shows it. */
function describeType(type: string): Json {
  const [, outer = '', inner = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(type) ?? [];
  if (outer === 'Nullable' || outer === 'LowCardinality') return describeType(inner);
  if (outer === 'Array') return orNull('array', { items: describeType(inner) });
  if (outer === 'Tuple')
    return orNull('object', {
      additionalProperties: true,
      properties: Object.fromEntries(
        splitFields(inner).map((field) => [field.split(' ')[0], describeType(field.slice(field.indexOf(' ') + 1))]),
      ),
    });
  if (outer.startsWith('DateTime')) return TIME;
  if (/^Date/.test(outer)) return orNull('string', { format: 'date' });
  if (/^U?Int/.test(outer)) return orNull('integer');
  if (/^(Decimal|Float)/.test(outer)) return orNull('number');
  if (['String', 'UUID', 'FixedString', 'Enum8', 'Enum16'].includes(outer)) return orNull('string');
  throw new Error(`There is no form for ${type}`);
}

/** The fields of a tuple, which commas in brackets do not end. */
function splitFields(text: string): string[] {
  const fields: string[] = [];
  let depth = 0;
  let field = '';
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) {
      fields.push(field.trim());
      field = '';
    } else field += letter;
  }
  return [...fields, field.trim()];
}

/** The columns that a question has as a file: names of dimensions are texts, figures are as the model says. */
async function readReport(question: Json, ask: Ask): Promise<Json> {
  const model = (await (await ask('/api/v1/reporting/model')).json()) as ModelAnswer;
  const formats = new Map(model[String(question.source)]?.metrics.map(({ name, format }) => [name, format]));
  const range = { from: '2026-01-01', to: '2026-01-01' };
  const file = await ask('/api/v1/reporting/query?format=csv', { ...question, ...range });
  const header = (await file.text()).split(/\r?\n/)[0] as string;
  return Object.fromEntries(
    header.split(',').map((name): [string, Json] => {
      const format = formats.get(name);
      if (name === 'day') return [name, orNull('string', { format: 'date' })];
      return [name, orNull(format === undefined ? 'string' : format === 'count' ? 'integer' : 'number')];
    }),
  );
}

/** The fields of a campaign of the list, as the reference of the service has them. */
async function readCampaign(ask: Ask): Promise<Json> {
  const reference = (await (await ask('/openapi.json')).json()) as Json;
  const read = (at: unknown, ...names: string[]): unknown =>
    names.reduce<unknown>((value, name) => follow((value as Json)[name], reference), follow(at, reference));
  const content = ['paths', '/api/v1/campaigns', 'get', 'responses', '200', 'content', 'application/json', 'schema'];
  const fields = read(reference, ...content, 'properties', 'data', 'properties', 'campaigns', 'items', 'properties');
  return Object.fromEntries(Object.entries(fields as Json).map(([name, one]) => [name, describeJson(one, reference)]));
}

function follow(value: unknown, reference: Json): unknown {
  const ref = (value as Json | undefined)?.$ref;
  if (typeof ref !== 'string') return value;
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json)[name], reference);
}

/** JSON Schema of the reference in the few words that destinations know; everything may be null. */
function describeJson(given: unknown, reference: Json): Json {
  const schema = follow(given, reference) as Json;
  const options = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  const type = [schema.type].flat().find((one) => one !== 'null' && one !== undefined) as string | undefined;
  if (type === undefined && options)
    return describeJson(
      options.find((one) => one.type !== 'null'),
      reference,
    );
  if (type === 'array') return orNull('array', { items: describeJson(schema.items, reference) });
  if (type === 'object') {
    const fields = Object.entries((schema.properties ?? {}) as Json);
    const properties = Object.fromEntries(fields.map(([name, one]) => [name, describeJson(one, reference)]));
    return orNull('object', { additionalProperties: true, properties });
  }
  if (type === 'string' && schema.format === 'date-time') return TIME;
  return orNull(type ?? 'string');
}
