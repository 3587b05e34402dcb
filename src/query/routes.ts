/** `POST /api/v1/reporting/query` and `GET /api/v1/reporting/values`, `/model` (docs/contract/queries.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { ExportRunner } from '../files/export-runner';
import { bomParameter, FILE_TYPES, formatParameter } from '../files/openapi';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { chooseFormat, sendFile } from '../http/files';
import { withRateLimit } from '../http/limits';
import { requestIdIn } from '../http/request-id';
import { errorReply, rateLimited, reportUnavailable } from '../openapi/operation';
import { described } from '../questions/model';
import { modelsSchema } from '../questions/model-schema';
import { queryFile } from '../questions/file';
import { querySchema, readQueryInput, SOURCES } from '../questions/query-input';
import { answerSchema } from '../questions/answer-schema';
import { valuesSchema } from './schema';
import { prepare } from '../questions/answer';
import { askQuery, type AskParts } from '../questions/ask';
import { checkDimension, listValues, MAX_LISTED, valuesParameters } from './values';

export interface QueryParts extends AskParts {
  readonly access: Access;
  readonly files: ExportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<QueryParts>();

const auth = serviceKey('reports', { paid: true });
const sources = Object.entries(SOURCES).map(([name, { metricNames, dimensions }]) => {
  const rows = dimensions.filter(({ isFilter }) => !isFilter).map((dimension) => dimension.name);
  return `Source ${name}: metrics ${metricNames.join(', ')}; dimensions ${rows.join(', ')}. `;
});

/** In order: the key, billing, the body, the limit of the key, then the work, one question at a time. */
export const queryApi: EndpointSection<QueryParts> = {
  tag: 'Queries',
  description: 'Any figures of app campaigns and web visits by any dimensions, with the server key of a project.',
  operations: [
    operation({
      method: 'post',
      path: '/api/v1/reporting/query',
      operationId: 'query',
      repeatable: true,
      summary: 'Ask for figures',
      description:
        sources.join('') +
        'A metric that has no meaning by a dimension says so; what nobody tells by it is null, and in `meta.unknown`.',
      auth,
      parameters: [formatParameter('json'), bomParameter],
      body: json({
        schema: querySchema,
        example: {
          source: 'app',
          metrics: ['installs', 'revenue', 'roas', 'retention_d7'],
          dimensions: ['campaign', 'month'],
          filters: [['is_not', 'platform', ['IOS']]],
          from: '2026-01-01',
          to: '2026-03-31',
          order_by: [['installs', 'desc']],
          include: ['totals', 'organic'],
        },
        // Large enough for the most values that filters may have.
        limit: '1mb',
        maxValues: 25_000,
        parse: readQueryInput,
      }),
      responses: {
        200: { description: 'A page of rows; as a file all of them.', schema: answerSchema, files: FILE_TYPES },
        400: errorReply(
          400,
          'The question is malformed or has no meaning.',
          'spend cannot be asked for by rule; it can by campaign, network, partner, channel, ad_set, ad, keyword, ' +
            'platform, day, week, month.',
        ),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readBody, readParameters }) => {
        const { project, key } = readCaller(ctx);
        const query = readBody();
        const { bom, ...named } = readParameters();
        const format = chooseFormat(ctx, named);
        const { files, limiter } = parts;
        if (!format) return withRateLimit(limiter, key, () => askQuery(parts, project.id, query));
        const name = `query-${query.from}-${query.to}`;
        const { stream, completeUntil } = await withRateLimit(limiter, key, async () => {
          const prepared = await prepare(parts, project.id, query.source);
          const opened = await files.open({ kind: 'query', name, requestId: requestIdIn(ctx.res) }, () =>
            queryFile(prepared.about, files, query, format, { bom }),
          );
          return { stream: opened, completeUntil: prepared.completeUntil };
        });
        sendFile(ctx, name, format, stream, completeUntil);
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/reporting/values',
      operationId: 'dimensionValues',
      summary: 'List what a dimension holds',
      description:
        `At most ${MAX_LISTED} values, those with most installs, or visitors, first; of all time. ` +
        'For lists to choose filters from.',
      auth,
      parameters: valuesParameters,
      responses: {
        200: { description: 'The values.', schema: valuesSchema },
        400: errorReply(400, 'A parameter is missing or malformed.', 'source: must be app or web'),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const input = readParameters();
        checkDimension(input);
        return withRateLimit(parts.limiter, key, async () => {
          const { about } = await prepare(parts, project.id, input.source);
          return parts.reports.compute('values', (budget) => listValues(budget, about, input));
        });
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/reporting/model',
      operationId: 'queryModel',
      summary: 'List metrics and dimensions',
      description: 'What queries can ask for, what each is called and how it is written; the same for every project.',
      auth: serviceKey('reports'),
      responses: { 200: { description: 'By source.', schema: modelsSchema }, 429: rateLimited },
      handle: () => described,
    }),
  ],
};

export const queryRoutes = (parts: QueryParts): Router => createRoutes(queryApi, parts);
