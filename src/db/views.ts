/** The views of clickhouse/views, made anew at every start: they hold no data, so their files are never frozen. */
import type { ClickHouse } from './clickhouse';
import { renderForCluster } from './cluster-ddl';
import { readQuery, readViews, splitStatements } from './sql';

const columnComments = readQuery('clickhouse', 'views.column-comments');

/**
 * Makes every view, in the order of the files' names, then gives the columns of analytics the comments of the tables.
 */
export async function applyViews(clickhouse: ClickHouse, cluster: string | undefined): Promise<void> {
  const run = async (statement: string) => {
    for (const rendered of cluster ? renderForCluster(statement, cluster) : [statement])
      await clickhouse.command(rendered);
  };
  for (const { text } of readViews()) for (const statement of splitStatements(text)) await run(statement);
  const comments = await clickhouse.rows<{ view: string; name: string; comment: string }>(columnComments);
  for (const view of new Set(comments.map((row) => row.view))) {
    const changes = comments
      .filter((row) => row.view === view)
      .map(
        ({ name, comment }) => `COMMENT COLUMN ${name} '${comment.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
      );
    await run(`-- cluster: on every node\nALTER TABLE analytics.${view} ${changes.join(', ')}`);
  }
}
