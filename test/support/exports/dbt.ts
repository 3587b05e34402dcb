/** As much of dbt as the package of integrations/dbt uses: renders its models and tests, in the order of their refs. */
import fs from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import nunjucks from 'nunjucks';
import { root } from '../service';

const PACKAGE = path.join(root, 'integrations', 'dbt');

export interface Rendered {
  readonly name: string;
  readonly sql: string;
}

export interface DbtProject {
  /** Each after those that it reads. */
  readonly models: readonly Rendered[];
  readonly tests: readonly Rendered[];
}

interface ColumnDocument {
  readonly name: string;
  readonly data_tests?: readonly (string | Readonly<Record<string, Json>>)[];
}
interface ModelDocument {
  readonly name: string;
  readonly data_tests?: readonly (string | Readonly<Record<string, Json>>)[];
  readonly columns?: readonly ColumnDocument[];
}
interface SourceDocument {
  readonly name: string;
  readonly tables: readonly ModelDocument[];
}
type Json = Readonly<Record<string, unknown>>;

const listFiles = (folder: string, end: string) =>
  fs
    .readdirSync(path.join(PACKAGE, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => path.join(PACKAGE, folder, file));
const read = (file: string) => fs.readFileSync(file, 'utf8');

/** Renders the package with these variables; models are called `schema`.name. */
export function renderDbt(schema: string, given: Json): DbtProject {
  const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true });
  const vars: Json = { ...(load(read(path.join(PACKAGE, 'dbt_project.yml'))) as { vars: Json }).vars, ...given };
  const documents = listFiles('models', '.yml').map(
    (file) => load(read(file)) as { models?: ModelDocument[]; sources?: SourceDocument[] },
  );
  const sources = new Set(
    documents.flatMap(({ sources: all = [] }) =>
      all.flatMap(({ name, tables }) => tables.map((table) => `${name}.${table.name}`)),
    ),
  );
  const files = new Map(listFiles('models', '.sql').map((file) => [path.basename(file, '.sql'), file]));
  const macros = listFiles('macros', '.sql').map(read).join('');

  const render = (text: string) => {
    const refs: string[] = [];
    const sql = environment.renderString(macros + text, {
      ref: (name: string) => {
        if (!files.has(name)) throw new Error(`There is no model ${name}`);
        refs.push(name);
        return `\`${schema}\`.\`${name}\``;
      },
      source: (source: string, table: string) => {
        if (!sources.has(`${source}.${table}`)) throw new Error(`There is no source ${source}.${table}`);
        return `analytics.${table}`;
      },
      var: (name: string) => {
        if (!(name in vars)) throw new Error(`There is no variable ${name}`);
        return vars[name];
      },
      config: () => '',
    });
    return { sql: sql.trim(), refs };
  };

  const models: Rendered[] = [];
  const add = (name: string) => {
    if (models.some((model) => model.name === name)) return;
    const { sql, refs } = render(read(files.get(name) as string));
    refs.forEach(add);
    models.push({ name, sql });
  };
  [...files.keys()].forEach(add);

  const described = documents.flatMap(({ models: all = [] }) => all);
  const undescribed = [...files.keys()].filter((name) => !described.some((one) => one.name === name));
  if (undescribed.length > 0) throw new Error(`Described nowhere: ${undescribed.join(', ')}`);
  const tables = documents.flatMap(({ sources: all = [] }) => all.flatMap((one) => one.tables));
  const generic = [
    ...described.map((model) => ({ model, relation: `\`${schema}\`.\`${model.name}\`` })),
    ...tables.map((model) => ({ model, relation: `analytics.${model.name}` })),
  ].flatMap(({ model, relation }) => {
    return [{ data_tests: model.data_tests }, ...(model.columns ?? [])].flatMap((column) =>
      (column.data_tests ?? []).map((one) => {
        const [kind, options] = typeof one === 'string' ? [one, {}] : (Object.entries(one)[0] as [string, Json]);
        const of = 'name' in column ? column.name : (options.column_name as string);
        const { where } = (options.config ?? {}) as { where?: string };
        const from = where === undefined ? relation : `(SELECT * FROM ${relation} WHERE ${render(where).sql})`;
        return { name: `${kind} ${model.name} ${of}`, sql: writeTest(kind, from, of, options, render) };
      }),
    );
  });
  const singular = listFiles('tests', '.sql').map((file) => ({
    name: path.basename(file, '.sql'),
    sql: render(read(file)).sql,
  }));
  return { models, tests: [...generic, ...singular] };
}

/** A statement whose rows break the rule. */
function writeTest(
  kind: string,
  relation: string,
  column: string,
  options: Json,
  render: (text: string) => { sql: string },
): string {
  switch (kind) {
    case 'unique':
      return `SELECT ${column} AS one, count() AS n FROM ${relation} GROUP BY one HAVING n > 1`;
    case 'not_null':
      return `SELECT 1 FROM ${relation} WHERE ${column} IS NULL`;
    case 'relationships': {
      const to = render(`{{ ${String(options.to)} }}`).sql;
      return `SELECT ${column} FROM ${relation} WHERE ${column} NOT IN (SELECT ${String(options.field)} FROM ${to})`;
    }
    case 'accepted_values': {
      const values = (options.values as string[]).map((value) => `'${value}'`).join(', ');
      return `SELECT ${column} FROM ${relation} WHERE ${column} NOT IN (${values})`;
    }
    default:
      throw new Error(`There is no test ${kind}`);
  }
}
