/** What the tools of MCP do, by the features that do it for everybody else. */
import { explainInstall } from '../attribution/service';
import type { McpOptions } from '../mcp/server';
import { readValues } from '../openapi/operation';
import { checkQualityInput, qualityParameters } from '../partner-quality/input';
import { presentQuality } from '../partner-quality/presenter';
import { prepare, quality } from '../partner-quality/service';
import { presentSchema } from '../sql-console/presenter';
import { readColumns } from '../sql-console/queries';
import { runStatement, type ConsoleOptions } from '../sql-console/service';
import type { ApiParts } from './api-parts';

export function wireTools(parts: ApiParts, console: ConsoleOptions): McpOptions {
  const { reporting, records, clickhouse, mustBeComplete, background, queryLimit, dataLimit, log } = parts;
  const { reports } = reporting;
  return {
    ...reporting,
    catchUp: background.catchUpWebVisitors,
    mustBeComplete,
    limits: { query: queryLimit, data: dataLimit },
    explainInstall: (projectId, installId) => explainInstall(records, projectId, installId),
    runSql: (projectId, query, limit) => runStatement(console, projectId, { query, limit }),
    // Functions are not asked for: a model knows those of ClickHouse.
    readTables: async () => presentSchema(await readColumns(clickhouse), []),
    async partnerQuality(projectId, query) {
      const input = checkQualityInput(readValues(qualityParameters, query));
      const prepared = await prepare({ ...reporting, mustBeComplete: mustBeComplete.app }, projectId, input);
      const found = await reports.compute('partner-quality', (budget) => quality(budget, prepared, projectId, input));
      return presentQuality(input, found);
    },
    onError: (err, tool) => log.error({ err, tool }, 'A tool of MCP failed'),
  };
}
