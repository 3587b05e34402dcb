/** SQL of people for the OpenAPI document (docs/contract/sql.md). */
import { bomParameter } from '../files/openapi';
import { errorReply, rateLimited, suspended, tooLarge, type ApiSection, type Operation } from '../openapi/operation';
import { Type } from '../lib/schema';
import * as schema from './schema';

const { ROWS } = schema;
const unauthorized = errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.');
const badBody = errorReply(400, 'The body is wrong.', 'body: "query" is required');
const taken = errorReply(
  409,
  `Another saved query has the name, or the project has ${schema.MAX_SAVED} already.`,
  'name: another saved query has it',
);
const missing = errorReply(404, 'The project has no such saved query.', 'Saved query not found.');
const id = {
  name: 'id',
  in: 'path',
  description: 'The saved query.',
  schema: Type.Integer({ minimum: 1 }),
  example: 1,
} as const;
const common = { 401: unauthorized, 402: suspended, 429: rateLimited };
const saved = (name: string) => ({
  schema: schema.savedInputSchema,
  example: { name, query: 'SELECT toDate(install_time) AS day, count() AS installs FROM installs GROUP BY day' },
});

const savedOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/saved-queries',
    operationId: 'listSavedQueries',
    summary: 'List saved queries',
    description: 'By name.',
    security: ['serviceKey'],
    responses: { 200: { description: 'All of the project.', schema: schema.savedListSchema }, ...common },
  },
  {
    method: 'post',
    path: '/api/v1/saved-queries',
    operationId: 'createSavedQuery',
    summary: 'Save a query',
    description: 'The statement is kept as it is; nobody checks whether it works.',
    security: ['serviceKey'],
    body: saved('Installs by day'),
    responses: {
      201: { description: 'It is saved.', schema: schema.savedSchema },
      400: badBody,
      ...common,
      409: taken,
      413: tooLarge('500kb'),
    },
  },
  {
    method: 'put',
    path: '/api/v1/saved-queries/{id}',
    operationId: 'changeSavedQuery',
    summary: 'Change a saved query',
    description: 'Name and statement.',
    security: ['serviceKey'],
    parameters: [id],
    body: saved('Installs, day by day'),
    responses: {
      200: { description: 'It is changed.', schema: schema.savedSchema },
      400: badBody,
      ...common,
      404: missing,
      409: taken,
      413: tooLarge('500kb'),
    },
  },
  {
    method: 'delete',
    path: '/api/v1/saved-queries/{id}',
    operationId: 'deleteSavedQuery',
    summary: 'Delete a saved query',
    description: 'For good.',
    security: ['serviceKey'],
    parameters: [id],
    responses: { 204: { description: 'It is deleted.' }, ...common, 404: missing },
  },
];

export const sqlApi: ApiSection = {
  tag: 'SQL',
  description: 'SQL over the views of `analytics`, of one project.',
  operations: [
    {
      method: 'post',
      path: '/api/v1/sql',
      operationId: 'runSql',
      summary: 'Run a statement',
      description:
        'Reads the views of `analytics`, of which only the rows of the project are there. A statement may take 15 ' +
        `seconds and 1 GB and answers up to ${ROWS.maximum} rows; as a file (\`format=csv\`) up to ${ROWS.file}, ` +
        'which is also how many it has unless `limit` says so.',
      security: ['serviceKey'],
      parameters: [
        {
          name: 'format',
          in: 'query',
          description: '`csv` for a file.',
          schema: Type.String({ enum: ['json', 'csv'], default: 'json' }),
          example: 'json',
        },
        bomParameter,
      ],
      body: {
        schema: schema.statementSchema,
        example: { query: 'SELECT campaign_name, count() AS clicks FROM clicks GROUP BY campaign_name', limit: 100 },
      },
      responses: {
        200: { description: 'Its rows.', schema: schema.resultSchema, files: ['text/csv'] },
        400: errorReply(400, 'The body is wrong, or what ClickHouse says.', 'Unknown table expression identifier'),
        ...common,
        409: errorReply(
          409,
          "ClickHouse does not let the service's user make users and row policies.",
          'ClickHouse does not let the service make users.',
        ),
        413: tooLarge('500kb'),
        503: errorReply(
          503,
          'ClickHouse is away, or too many statements run.',
          'Too many statements are running. Please try again later.',
        ),
      },
    },
    {
      method: 'get',
      path: '/api/v1/schema',
      operationId: 'getSchema',
      summary: 'List the tables that SQL reads',
      description: 'With the comments and types of their columns.',
      security: ['serviceKey'],
      responses: { 200: { description: 'The tables.', schema: schema.schemaSchema }, ...common },
    },
    ...savedOperations,
  ],
};
