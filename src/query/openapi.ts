/** Queries for the OpenAPI document (docs/contract/queries.md). */
import { closed, instant, list, named, nullable, choice, Type } from '../lib/schema';
import { errorReply, rateLimited, reportUnavailable, suspended, tooLarge, type ApiSection } from '../openapi/operation';
import { bomParameter, FILE_TYPES, formatParameter } from '../files/openapi';
import { filterNames, querySchema, SOURCES } from './input';
import { MAX_LISTED } from './values';

const text = Type.String();
const values = list(nullable(Type.Number()), {
  description: 'In the order of `metrics`; null where there is no value.',
});
const result = named(
  'QueryResult',
  closed({
    dimensions: list(text, { description: 'In the order of `dimensions`.' }),
    labels: list(text, { description: 'What each of them is called.' }),
    metrics: values,
    comparison: Type.Optional(values),
  }),
);
const meta = closed({
  rows: Type.Integer({ minimum: 0, description: 'Rows on all pages.' }),
  currency: text,
  timezone: text,
  unconverted_currencies: Type.Optional(
    list(text, { description: 'Currencies without an exchange rate; their amounts are left out.' }),
  ),
  unknown: Type.Optional(
    list(text, { description: 'Metrics that a dimension or a filter makes unknown: null where they are.' }),
  ),
  complete_until: nullable({
    ...instant,
    description: 'Everything accepted up to then is in the figures; null while that is not known.',
  }),
  cohorts_mature_until: Type.Optional(
    Type.String({ format: 'date', description: 'Installs up to this day count for all cohort metrics.' }),
  ),
});
const answer = closed({
  results: list(result),
  totals: Type.Optional(values),
  meta,
  query: Type.Object({}, { description: 'The question as it was understood, with all defaults.' }),
  sql: Type.Optional(
    Type.String({ description: 'The statement of the rows, values written in, over views of `analytics`.' }),
  ),
});

const described = closed({
  metrics: list(
    closed({
      name: { ...text, description: 'With `N` for a day, or `<name>` for an event, where it has one.' },
      label: text,
      about: Type.Optional({ ...text, description: 'What it is, where the label does not say.' }),
      format: choice(['count', 'money', 'percent', 'ratio', 'seconds'], { type: 'string' }),
    }),
  ),
  dimensions: list(
    closed({
      name: text,
      label: text,
      format: choice(['text', 'country', 'number', 'day', 'week', 'month', 'hour'], { type: 'string' }),
      rows: Type.Boolean({ description: 'Whether rows can be grouped by it.' }),
      filters: Type.Boolean({ description: 'Whether it has filters.' }),
    }),
  ),
});

export const queryApi: ApiSection = {
  tag: 'Queries',
  description: 'Any figures of app campaigns and web visits by any dimensions, with the server key of a project.',
  operations: [
    {
      method: 'post',
      path: '/api/v1/reporting/query',
      operationId: 'query',
      summary: 'Ask for figures',
      description:
        Object.entries(SOURCES)
          .map(
            ([name, { metricNames, dimensions }]) =>
              `Source ${name}: metrics ${metricNames.join(', ')}; dimensions ${dimensions
                .filter(({ isFilter }) => !isFilter)
                .map((dimension) => dimension.name)
                .join(', ')}. `,
          )
          .join('') +
        'A metric that has no meaning by a dimension says so; what nobody tells by it is null, and in `meta.unknown`.',
      security: ['serviceKey'],
      parameters: [formatParameter('json'), bomParameter],
      body: {
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
      },
      responses: {
        200: { description: 'A page of rows; as a file all of them.', schema: answer, files: FILE_TYPES },
        400: errorReply(
          400,
          'The question is malformed or has no meaning.',
          'spend cannot be asked for by rule; it can by campaign, network, partner, channel, ad_set, ad, keyword, ' +
            'platform, day, week, month.',
        ),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        413: tooLarge('1mb'),
        429: rateLimited,
        503: reportUnavailable,
      },
    },
    {
      method: 'get',
      path: '/api/v1/reporting/values',
      operationId: 'dimensionValues',
      summary: 'List what a dimension holds',
      description:
        `At most ${MAX_LISTED} values, those with most installs, or visitors, first; of all time. ` +
        'For lists to choose filters from.',
      security: ['serviceKey'],
      parameters: [
        {
          name: 'source',
          in: 'query',
          description: 'Of app campaigns or of web visits.',
          schema: choice(['app', 'web'], { type: 'string', default: 'app' }),
        },
        {
          name: 'dimension',
          in: 'query',
          required: true,
          description: `Of app: ${filterNames('app').join(', ')}; of web: ${filterNames('web').join(', ')}.`,
          schema: text,
          example: 'country',
        },
        {
          name: 'search',
          in: 'query',
          description: 'Only values that contain it, or are called so: literally, in any case.',
          schema: Type.String({ maxLength: 500 }),
        },
      ],
      responses: {
        200: {
          description: 'The values.',
          schema: closed({
            values: list(
              closed({
                value: { ...text, description: 'As filters take it; empty for unknown.' },
                label: { ...text, description: 'What it is called.' },
                count: Type.Integer({ minimum: 0, description: 'Installs, or visitors, that have it.' }),
              }),
            ),
          }),
        },
        400: errorReply(400, 'A parameter is missing or malformed.', 'source: must be app or web'),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        429: rateLimited,
        503: reportUnavailable,
      },
    },
    {
      method: 'get',
      path: '/api/v1/reporting/model',
      operationId: 'queryModel',
      summary: 'List metrics and dimensions',
      description: 'What queries can ask for, what each is called and how it is written; the same for every project.',
      security: ['serviceKey'],
      responses: {
        200: { description: 'By source.', schema: closed({ app: described, web: described }) },
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        429: rateLimited,
      },
    },
  ],
};
