/** The views of clickhouse/views, made anew at a start that finds others: they hold no data, and are never frozen. */
import { createHash } from 'node:crypto';
import { DIALECT_SETTINGS } from '../lib/sql-dialect';
import type { ClickHouse } from './clickhouse';
import { renderForCluster } from './cluster-ddl';
import { readMigrations, readQuery, readViews, splitStatements } from './sql';

const columnComments = readQuery('clickhouse', 'views.column-comments');
const made = readQuery('clickhouse', 'views.made');

/** What is noted of all views among the migrations: no file of those has this name. */
export const VIEWS = 'views';
const NAME = /^CREATE OR REPLACE VIEW (\w+\.\w+)/m;
/** A view of analytics: its name, and what it selects. */
const SHOWN = /^CREATE OR REPLACE VIEW analytics\.(\w+)$.*?^AS (SELECT.*?)^COMMENT/ms;

/**
 * Makes every view, those that others read in the order of the files' names. The columns of those of analytics get the
 * comments of the tables, in the statement that makes the view: whoever reads meanwhile finds the view as it was or as
 * it will be. Nothing is made where all of them are as they were left. Killed between, they are made once more.
 */
export async function applyViews(clickhouse: ClickHouse, cluster: string | undefined): Promise<void> {
  const statements = readViews().flatMap(({ text }) => splitStatements(text));
  // A node that is new to a cluster has none, and no other one knows.
  const former = cluster === undefined ? await readMade(clickhouse, statements) : undefined;
  if (former && former.noted === former.sha256) return;
  const shown = statements.flatMap((one) => SHOWN.exec(one)?.[1] ?? []);
  const make = async (statement: string, comments: Comments) => {
    const whole = await withColumns(clickhouse, statement, comments);
    for (const rendered of cluster ? renderForCluster(whole, cluster) : [whole]) await clickhouse.command(rendered);
  };
  for (const statement of statements.filter((one) => !SHOWN.test(one))) await make(statement, new Map());
  const comments = await readComments(clickhouse, shown);
  // None of analytics reads another.
  await Promise.all(statements.filter((one) => SHOWN.test(one)).map((one) => make(one, comments)));
  if (!former) return;
  const { sha256 } = await readMade(clickhouse, statements);
  await clickhouse.insert('adtrail.applied_migrations', ['name', 'sha256'], [JSON.stringify([VIEWS, sha256])]);
}

/**
 * `sha256` tells the views as they are, and all that they come from: statements and tables of this version, the engine,
 * and who makes them; `noted` is what it was once all were made.
 */
async function readMade(
  clickhouse: ClickHouse,
  statements: readonly string[],
): Promise<{ readonly sha256: string; readonly noted: string | null }> {
  const views = statements.flatMap((one) => NAME.exec(one)?.[1] ?? []);
  const [row] = await clickhouse.rows<{ noted: string | null }>(made, { views });
  const { noted = null, ...found } = { ...row };
  const sources = [statements, DIALECT_SETTINGS, readMigrations('clickhouse')];
  const sha256 = createHash('sha256')
    .update(JSON.stringify([found, sources]))
    .digest('hex');
  return { sha256, noted };
}

/** By view of analytics and name of a column. */
type Comments = ReadonlyMap<string, ReadonlyMap<string, string>>;

async function readComments(clickhouse: ClickHouse, views: readonly string[]): Promise<Comments> {
  type Commented = Record<'view' | 'name' | 'comment', string>;
  const comments = new Map(views.map((view) => [view, new Map<string, string>()]));
  for (const { view, name, comment } of await clickhouse.rows<Commented>(columnComments, { views }))
    comments.get(view)?.set(name, comment);
  return comments;
}

/** The statement with a list of the columns of its view and their comments; others as they are. */
async function withColumns(clickhouse: ClickHouse, statement: string, comments: Comments): Promise<string> {
  const [, view, select] = SHOWN.exec(statement) ?? [];
  if (!view || !select) return statement;
  const settled = withSettings(statement);
  const columns = await clickhouse.rows<{ name: string; type: string }>(`DESCRIBE TABLE (${select})`);
  const comment = (name: string) => quoted(comments.get(view)?.get(name) ?? '');
  const list = columns.map(({ name, type }) => `  \`${name}\` ${type} COMMENT ${comment(name)}`);
  return settled.replace(/^(CREATE OR REPLACE VIEW .*)$/m, (head) => `${head} (\n${list.join(',\n')}\n)`);
}

const SETTINGS = DIALECT_SETTINGS.map((name) => `${name} = 0`).join(', ');

/** What a reader sets for its own statement is not in force within the view. */
const withSettings = (statement: string): string =>
  /^SETTINGS /m.test(statement)
    ? statement.replace(/^SETTINGS /m, `SETTINGS ${SETTINGS}, `)
    : statement.replace(/^COMMENT/m, `SETTINGS ${SETTINGS}\nCOMMENT`);

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
