/** `GET /api/v1/reporting/web-campaigns` (docs/contract/web-report.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { readCaller, requireFeature, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withReportLimit } from '../http/limits';
import { readQueryString } from '../http/target';
import { choice, Type } from '../lib/schema';
import { envelope, errorReply, queryParameter, rateLimited, reportUnavailable } from '../openapi/operation';
import { CHANNELS } from '../web-channels/classify';
import {
  GROUPINGS,
  MAX_EVENTS,
  MAX_LIMIT,
  MAX_PAGE,
  MODELS,
  NETWORKS,
  readReportInput,
  SORT_FIELDS,
  SORT_ORDERS,
  UTM,
} from './input';
import { reportSchema } from './schema';
import { webReport, type ReportOptions } from './service';

export interface WebReportParts extends ReportOptions {
  readonly access: Access;
  /** The limit by key, which counts this report alone. */
  readonly limiter: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

const operation = endpoints<WebReportParts>();

const NOT_ENABLED = 'Web campaigns are not enabled for this project.';
const reader = serviceKey('reports', { paid: true });
/** The switch of the project comes after its key and billing. */
const auth: typeof reader = {
  ...reader,
  guards: (parts) => [...reader.guards(parts), requireFeature((project) => project.webCampaigns, NOT_ENABLED)],
};

const text = Type.String();
const day = Type.String({ format: 'date' });
/** One of some values, of which one holds unless another is sent. */
const chosen = (name: string, description: string, values: readonly string[], byDefault: string) =>
  queryParameter(name, description, choice(values, { type: 'string', default: byDefault }), byDefault);

/**
 * In order: the key, billing, the project's switch, the parameters, the limit of the key, then the work
 * (docs/contract/main-api.md).
 */
export const webReportApi: EndpointSection<WebReportParts> = {
  tag: 'Reporting',
  description: 'Reports, with the server key of a project.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/reporting/web-campaigns',
      operationId: 'reportWebCampaigns',
      summary: 'Report on web campaigns',
      description:
        'Visitors, sessions, sign-ups, purchases and spend by campaign, channel, source or ad. Days are those of ' +
        'Asia/Kolkata; uniques are exact over the whole range. Each parameter may be sent once. One request a ' +
        'minute for each key.',
      auth,
      parameters: [
        queryParameter('from', 'First day, in Asia/Kolkata; by default the day on which the project was created.', day),
        queryParameter('to', 'Last day; by default today. An explicit range spans at most 366 days.', day),
        queryParameter('start_date', 'Alias of `from`.', day),
        queryParameter('end_date', 'Alias of `to`.', day),
        chosen('group_by', 'What a row is.', GROUPINGS, 'campaign'),
        queryParameter(
          'network',
          'Required with `network_campaign`, `ad_set` and `ad`, refused with the other groupings.',
          choice(NETWORKS, { type: 'string' }),
        ),
        queryParameter(
          'network_campaign_id',
          'Rows under this campaign of the ad network; with network groupings only.',
          text,
        ),
        queryParameter('ad_set_id', 'Rows under this ad set or ad group; with network groupings only.', text),
        chosen('attribution', 'Which touch of a visitor is credited.', MODELS, 'last_touch'),
        queryParameter('channel', `Credited channel: ${CHANNELS.join(', ')}.`, text),
        queryParameter('source', 'Credited source, for example `facebook`.', text),
        ...UTM.map((name) => queryParameter(name, `Credited \`${name}\`, exactly.`, text)),
        queryParameter('search', 'Part of the `id` of a row, in any case.', text),
        queryParameter(
          'events',
          `Names of custom events to count, separated by commas; at most ${MAX_EVENTS}.`,
          text,
          'add_to_cart',
        ),
        chosen('sort_field', 'What rows are sorted by.', SORT_FIELDS, 'visitors'),
        chosen('sort_order', 'Which way.', SORT_ORDERS, 'descending'),
        queryParameter(
          'page',
          'Which page, from 1. One past the last is empty.',
          Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
          1,
        ),
        queryParameter('limit', 'Rows on a page.', Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: 10 }), 10),
      ],
      responses: {
        200: { description: 'A page of rows, and the totals over all of them.', schema: envelope(200, reportSchema) },
        400: errorReply(
          400,
          'A value is unknown, does not go with another, or is sent twice.',
          "Invalid group_by 'x'. It must be one of campaign, channel, source, network_campaign, ad_set, ad.",
        ),
        403: errorReply(403, 'Web campaigns are not turned on for the project.', NOT_ENABLED),
        422: errorReply(
          422,
          'A date, the range, `page`, `limit` or `events` is out of bounds.',
          "Invalid from '2026-13-01'. It must be a date, YYYY-MM-DD.",
        ),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts) => {
        const { project, key } = readCaller(ctx);
        const input = readReportInput(readQueryString(ctx), project.createdAt, parts.now());
        const data = await withReportLimit(parts.limiter, key, () => webReport(parts, project, input));
        const { total, page, pages } = data.pagination;
        return { msg: `${total} rows found, page ${page} of ${pages}.`, status: 200, data };
      },
    }),
  ],
};

export const webReportRoutes = (parts: WebReportParts): Router => createRoutes(webReportApi, parts);
