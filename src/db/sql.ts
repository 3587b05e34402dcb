/** Finds and reads the .sql files of the project: `sql/` for PostgreSQL, `clickhouse/` for ClickHouse. */
import fs from 'node:fs';
import path from 'node:path';
import type { Queryable, Row } from './postgres';

export type Engine = 'sql' | 'clickhouse';

const root = path.resolve(__dirname, '..', '..');

/** The heading of a block of a file: `-- name: known-clicks`. */
const HEADING = /^-- name: ([\w-]+)\n/m;

/** The blocks of a file by their names. A statement of more than 60 lines has its own file, without a heading. */
export function readBlocks(file: string): [name: string, text: string][] {
  const feature = path.basename(file, '.sql');
  const [first = '', ...rest] = fs.readFileSync(file, 'utf8').split(HEADING);
  if (rest.length === 0) return [[feature, first]];
  const pairs = rest.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[`${feature}.${name}`, `${(rest[i + 1] ?? '').trim().replace(/;$/, '')}\n`]] : [],
  );
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`${file} names a block twice`);
  return pairs;
}

const readAll = (engine: Engine) => {
  const folder = path.join(root, engine, 'queries');
  return new Map(fs.readdirSync(folder).flatMap((file) => readBlocks(path.join(folder, file))));
};

/** All statements of the query files, by engine and name; each file is read once. */
const statements: Readonly<Record<Engine, ReadonlyMap<string, string>>> = {
  sql: readAll('sql'),
  clickhouse: readAll('clickhouse'),
};

/** The names of the statements, by their texts. */
const names = new Map(Object.values(statements).flatMap((of) => [...of].map(([name, text]) => [text, name] as const)));

/** The names of all statements of an engine: `attribution.match`. */
export const queryNames = (engine: Engine): string[] => [...statements[engine].keys()].sort();

/**
 * Statements that another one selects from, by the name under which it does: each may use those before it. Several are
 * one step with the rows of all.
 */
export type Steps = Readonly<Record<string, string | readonly string[]>>;

/**
 * The text of one statement: `readQuery('sql', 'keys.list')` is the block `list` of sql/queries/keys.sql. With steps
 * it is `WITH <name> AS (<statement of the step>), … <the statement>`; nothing in a statement is replaced.
 *
 * @throws Error where there is none of that name.
 */
export function readQuery(engine: Engine, name: string, steps: Steps = {}): string {
  const text = readStatement(engine, name);
  const withs = Object.entries(steps).map(([as, of]) => {
    const rows = [of].flat().map((step) => readStatement(engine, step));
    return `${as} AS (\n${rows.join('UNION ALL\n')})`;
  });
  return withs.length === 0 ? text : `WITH\n${withs.join(',\n')}\n${text}`;
}

function readStatement(engine: Engine, name: string): string {
  const text = statements[engine].get(name);
  if (text === undefined) throw new Error(`${engine}/queries has no statement ${name}`);
  return text;
}

/**
 * The name of the statement that a text is, or ends with, as one put together of steps does: `web-visitors.derive`.
 * Undefined for a text that is in no file.
 */
export function nameOfStatement(statement: string): string | undefined {
  const whole = names.get(statement);
  if (whole !== undefined) return whole;
  let longest = '';
  for (const text of names.keys()) if (text.length > longest.length && statement.endsWith(text)) longest = text;
  return names.get(longest);
}

/** Above a query of the tables of `system`, which each node has for itself. */
const OF_EVERY_NODE = /^ *-- cluster: of every node$/m;

/**
 * The text of a query file of ClickHouse that asks for tables of `system`: those of the one server, or of every node of
 * a cluster.
 */
export function readNodesQuery(name: string, cluster: string | undefined): string {
  const text = readQuery('clickhouse', name);
  if (!OF_EVERY_NODE.test(text)) throw new Error(`${name} does not say that it is of every node`);
  if (!cluster) return text;
  const ofNodes = text.replace(/\bFROM system\.(\w+)/g, `FROM clusterAllReplicas('${cluster}', system.$1)`);
  names.set(ofNodes, name);
  return ofNodes;
}

/**
 * A function that runs a statement of sql/queries with values and resolves with its rows:
 * `postgresQuery<Key>('keys.list')(db, projectId)`.
 */
export const postgresQuery = <T extends Row = Row>(name: string) => {
  const text = readQuery('sql', name);
  return (db: Queryable, ...values: unknown[]): Promise<T[]> => db.rows<T>(text, values);
};

export interface Migration {
  readonly name: string;
  readonly text: string;
}

/** The migration files of an engine in the order they apply. */
export const readMigrations = (engine: Engine): Migration[] => readFolder(path.join(root, engine, 'migrations'));

/** The views of ClickHouse in the order they are made: one may use those before it. */
export const readViews = (): Migration[] => readFolder(path.join(root, 'clickhouse', 'views'));

function readFolder(folder: string): Migration[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(folder, name), 'utf8') }));
}

/** Splits a file of ours into statements: each ends with a semicolon at the end of a line. */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/--.*$/gm, '').trim() !== '');
}
