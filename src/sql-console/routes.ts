/** SQL of people, over the rows of their project, and the statements that they keep (docs/contract/sql.md). */
import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { FORMATS } from '../files/formats';
import { bomParameter } from '../files/openapi';
import { limitCaller, readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { sendFile } from '../http/files';
import { readId } from '../http/ids';
import { watchLeaving } from '../http/leaving';
import { choice, withDefault } from '../lib/schema';
import { errorReply, pathParameter, queryParameter, rateLimited } from '../openapi/operation';
import { nameTaken } from '../openapi/replies';
import { readStatement } from './input';
import { columnsOfFile, presentSaved, presentSchema } from './presenter';
import { readColumns, readFunctions } from './queries';
import * as saved from './saved';
import * as schema from './schema';
import { runStatement, type ConsoleOptions } from './service';

export interface SqlParts extends ConsoleOptions {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<SqlParts>();

const { ROWS } = schema;
const auth = serviceKey('sql', { paid: true });
/** Enough for what the page sends: a statement is at most 100,000 characters. */
const MAX_BODY = '500kb';
const id = pathParameter('id', 'The saved query.');
const savedBody = (name: string) =>
  json({
    schema: schema.savedInputSchema,
    example: { name, query: 'SELECT toDate(install_time) AS day, count() AS installs FROM installs GROUP BY day' },
    limit: MAX_BODY,
  });
const badBody = errorReply(400, 'The body is wrong.', 'body: "query" is required');
const missing = errorReply(404, 'The project has no such saved query.', 'Saved query not found.');
const taken = nameTaken('saved query', schema.MAX_SAVED);

const limited = <T>(ctx: Context, { limiter }: SqlParts, work: (projectId: number) => Promise<T>) =>
  limitCaller(ctx, limiter, ({ project }) => work(project.id));

/** In order: the key, billing, the body, the limit of the key, then the work. */
export const sqlApi: EndpointSection<SqlParts> = {
  tag: 'SQL',
  description: 'SQL over the views of `analytics`, of one project.',
  operations: [
    operation({
      method: 'post',
      path: '/api/v1/sql',
      operationId: 'runSql',
      repeatable: true,
      summary: 'Run a statement',
      description:
        'Reads the views of `analytics`, of which only the rows of the project are there. A statement may take 15 ' +
        `seconds and 1 GB and answers up to ${ROWS.maximum} rows; as a file (\`format=csv\`) up to ${ROWS.file}, ` +
        'which is also how many it has unless `limit` says so. A request that is given up ends its statement.',
      auth,
      parameters: [
        queryParameter(
          'format',
          '`csv` for a file.',
          withDefault(choice(['json', 'csv'], { type: 'string' }), 'json'),
          'json',
        ),
        bomParameter,
      ],
      body: json({
        schema: schema.statementSchema,
        example: { query: 'SELECT campaign_name, count() AS clicks FROM clicks GROUP BY campaign_name', limit: 100 },
        limit: MAX_BODY,
      }),
      responses: {
        200: { description: 'Its rows.', schema: schema.resultSchema, files: ['text/csv'] },
        400: errorReply(400, 'The body is wrong, or what ClickHouse says.', 'Unknown table expression identifier'),
        409: errorReply(
          409,
          "ClickHouse does not let the service's user make users and row policies.",
          'ClickHouse does not let the service make users.',
        ),
        429: rateLimited,
        503: errorReply(
          503,
          'ClickHouse is away, or too many statements run.',
          'Too many statements are running. Please try again later.',
        ),
      },
      handle: async (ctx, parts, { readBody, readParameters }) => {
        const { format, bom } = readParameters();
        const isFile = format === 'csv';
        const statement = readStatement(readBody(), isFile);
        const gone = watchLeaving(ctx);
        const result = await limited(ctx, parts, (projectId) => runStatement(parts, projectId, statement, gone));
        if (!isFile) return result;
        const file = FORMATS.csv.encode(columnsOfFile(result), Readable.from(result.rows), { bom });
        sendFile(ctx, 'result', 'csv', file, null);
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/schema',
      operationId: 'getSchema',
      summary: 'List the tables that SQL reads',
      description: 'With the comments and types of their columns, and the functions that it may call.',
      auth,
      responses: { 200: { description: 'The tables.', schema: schema.schemaSchema }, 429: rateLimited },
      handle: (ctx, parts) =>
        limited(ctx, parts, async () =>
          presentSchema(await readColumns(parts.clickhouse), await readFunctions(parts.clickhouse)),
        ),
    }),
    operation({
      method: 'get',
      path: '/api/v1/saved-queries',
      operationId: 'listSavedQueries',
      summary: 'List saved queries',
      description: 'By name.',
      auth,
      responses: { 200: { description: 'All of the project.', schema: schema.savedListSchema }, 429: rateLimited },
      handle: async (ctx, parts) => {
        const rows = await limited(ctx, parts, (projectId) => saved.listSaved(parts.postgres, projectId));
        return { saved_queries: rows.map(presentSaved) };
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/saved-queries',
      operationId: 'createSavedQuery',
      summary: 'Save a query',
      description: 'The statement is kept as it is; nobody checks whether it works.',
      auth,
      body: savedBody('Installs by day'),
      responses: {
        201: { description: 'It is saved.', schema: schema.savedSchema },
        400: badBody,
        409: taken,
        429: rateLimited,
      },
      handle: async (ctx, parts, { readBody }) => {
        const wanted = readBody();
        const row = await limited(ctx, parts, (projectId) =>
          saved.createSaved(parts.postgres, projectId, wanted, readCaller(ctx).actor.name),
        );
        return presentSaved(row);
      },
    }),
    operation({
      method: 'put',
      path: '/api/v1/saved-queries/{id}',
      operationId: 'changeSavedQuery',
      summary: 'Change a saved query',
      description: 'Name and statement.',
      auth,
      parameters: [id],
      body: savedBody('Installs, day by day'),
      responses: {
        200: { description: 'It is changed.', schema: schema.savedSchema },
        400: badBody,
        404: missing,
        409: taken,
        429: rateLimited,
      },
      handle: async (ctx, parts, { readBody }) => {
        const savedId = readId(ctx.params.id, 'Saved query');
        const wanted = readBody();
        const row = await limited(ctx, parts, (projectId) =>
          saved.changeSaved(parts.postgres, projectId, savedId, wanted),
        );
        return presentSaved(row);
      },
    }),
    operation({
      method: 'delete',
      path: '/api/v1/saved-queries/{id}',
      operationId: 'deleteSavedQuery',
      summary: 'Delete a saved query',
      description: 'For good.',
      auth,
      parameters: [id],
      responses: { 204: { description: 'It is deleted.' }, 404: missing, 429: rateLimited },
      handle: async (ctx, parts) => {
        const savedId = readId(ctx.params.id, 'Saved query');
        if (!(await limited(ctx, parts, (projectId) => saved.deleteSaved(parts.postgres, projectId, savedId))))
          throw new ApiError(404, 'Saved query not found.');
      },
    }),
  ],
};

export const sqlRoutes = (parts: SqlParts): Router => createRoutes(sqlApi, parts);
