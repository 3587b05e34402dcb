/** `GET /api/v1/reporting/web-campaigns` (docs/contract/web-report.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { readCaller, requireFeature, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withReportLimit } from '../http/limits';
import { readQueryString } from '../http/target';
import { envelope, errorReply, rateLimited, reportUnavailable } from '../openapi/operation';
import { refuseRepeated, reportParameters, toReportInput } from './input';
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
      parameters: reportParameters,
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
      handle: async (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        refuseRepeated(readQueryString(ctx));
        const input = toReportInput(readParameters(), project.createdAt, parts.now());
        const data = await withReportLimit(parts.limiter, key, () => webReport(parts, project, input));
        const { total, page, pages } = data.pagination;
        return { msg: `${total} rows found, page ${page} of ${pages}.`, status: 200, data };
      },
    }),
  ],
};

export const webReportRoutes = (parts: WebReportParts): Router => createRoutes(webReportApi, parts);
