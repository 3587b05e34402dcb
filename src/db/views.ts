/** The views of clickhouse/views, made anew at every start: they hold no data, so their files are never frozen. */
import { DIALECT_SETTINGS } from '../lib/sql-dialect';
import type { ClickHouse } from './clickhouse';
import { renderForCluster } from './cluster-ddl';
import { readQuery, readViews, splitStatements } from './sql';

const columnComments = readQuery('clickhouse', 'views.column-comments');

/** A view of analytics: its name, and what it selects. */
const SHOWN = /^CREATE OR REPLACE VIEW analytics\.(\w+)$.*?^AS (SELECT.*?)^COMMENT/ms;

/**
 * Makes every view, those that others read in the order of the files' names. The columns of those of analytics get the
 * comments of the tables, in the statement that makes the view: whoever reads meanwhile finds the view as it was or as
 * it will be.
 */
export async function applyViews(clickhouse: ClickHouse, cluster: string | undefined): Promise<void> {
  const statements = readViews().flatMap(({ text }) => splitStatements(text));
  const make = async (statement: string) => {
    const whole = await withColumns(clickhouse, statement);
    for (const rendered of cluster ? renderForCluster(whole, cluster) : [whole]) await clickhouse.command(rendered);
  };
  for (const statement of statements.filter((one) => !SHOWN.test(one))) await make(statement);
  // None of analytics reads another.
  await Promise.all(statements.filter((one) => SHOWN.test(one)).map(make));
}

/** The statement with a list of the columns of its view and their comments; others as they are. */
async function withColumns(clickhouse: ClickHouse, statement: string): Promise<string> {
  const [, view, select] = SHOWN.exec(statement) ?? [];
  if (!view || !select) return statement;
  const settled = withSettings(statement);
  const columns = await clickhouse.rows<{ name: string; type: string }>(`DESCRIBE TABLE (${select})`);
  const rows = await clickhouse.rows<{ name: string; comment: string }>(columnComments, { view });
  const comments = new Map(rows.map(({ name, comment }) => [name, comment]));
  const list = columns.map(({ name, type }) => `  \`${name}\` ${type} COMMENT ${quoted(comments.get(name) ?? '')}`);
  return settled.replace(/^(CREATE OR REPLACE VIEW .*)$/m, (head) => `${head} (\n${list.join(',\n')}\n)`);
}

const SETTINGS = DIALECT_SETTINGS.map((name) => `${name} = 0`).join(', ');

/** What a reader sets for its own statement is not in force within the view. */
const withSettings = (statement: string): string =>
  /^SETTINGS /m.test(statement)
    ? statement.replace(/^SETTINGS /m, `SETTINGS ${SETTINGS}, `)
    : statement.replace(/^COMMENT/m, `SETTINGS ${SETTINGS}\nCOMMENT`);

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
