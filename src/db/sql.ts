/** Finds and reads the .sql files of the project: `sql/` for PostgreSQL, `clickhouse/` for ClickHouse. */
import fs from 'node:fs';
import path from 'node:path';
import type { Queryable, Row } from './postgres';

export type Engine = 'sql' | 'clickhouse';

const root = path.resolve(__dirname, '..', '..');

/** What has been read: some statements are put together for each request. */
const texts = new Map<string, string>();

/** The names of the files, by their texts. */
const names = new Map<string, string>();

/** The text of one query file, for example `readQuery('clickhouse', 's2s.known-clicks')`; each is read once. */
export function readQuery(engine: Engine, name: string): string {
  const file = path.join(root, engine, 'queries', `${name}.sql`);
  const text = texts.get(file) ?? fs.readFileSync(file, 'utf8');
  texts.set(file, text);
  names.set(text, name);
  return text;
}

/**
 * The query file whose text a statement is, or ends with, as one put together of steps does: `app-report.figures`.
 * Undefined for a statement that is in no file.
 */
export function fileOf(statement: string): string | undefined {
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
  if (!OF_EVERY_NODE.test(text)) throw new Error(`${name}.sql does not say that it is of every node`);
  if (!cluster) return text;
  const ofNodes = text.replace(/\bFROM system\.(\w+)/g, `FROM clusterAllReplicas('${cluster}', system.$1)`);
  names.set(ofNodes, name);
  return ofNodes;
}

/**
 * Query files that one statement selects from in turn, by the name under which it does: each may use those before it.
 * Several files are one step with the rows of all.
 */
export type Steps = Readonly<Record<string, string | readonly string[]>>;

/** Query files by the names under which a statement uses them. */
export type Files = Readonly<Record<string, string>>;

/**
 * The text of one query file whose tables are steps: `WITH <name> AS (<file of the step>), … <the query>`.
 * Expressions are files with one lambda or one scalar subquery. Callers choose files from closed lists; nothing in a
 * file is replaced.
 */
export function readStepwiseQuery(engine: Engine, name: string, steps: Steps, expressions: Files = {}): string {
  const parts = [
    ...Object.entries(expressions).map(([as, file]) => `${readQuery(engine, file)}AS ${as}`),
    ...Object.entries(steps).map(([as, files]) => `${as} AS (\n${readRows(engine, files)})`),
  ];
  return `WITH\n${parts.join(',\n')}\n${readQuery(engine, name)}`;
}

const readRows = (engine: Engine, files: string | readonly string[]) =>
  [files]
    .flat()
    .map((file) => readQuery(engine, file))
    .join('UNION ALL\n');

/**
 * The queries of PostgreSQL of one feature: `queriesOf('admin')('keys')` is `sql/queries/admin.keys.sql`, to run with
 * values; read once, at start.
 */
export const queriesOf =
  (feature: string) =>
  <T extends Row = Row>(name: string) => {
    const text = readQuery('sql', `${feature}.${name}`);
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
