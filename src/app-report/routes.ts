/** `GET /api/v1/reporting/campaigns` (docs/contract/app-report.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withReportLimit } from '../http/limits';
import { envelope, errorReply, rateLimited, reportUnavailable } from '../openapi/operation';
import type { ReportRunner } from '../reporting/report-runner';
import { reportParameters, toReportInput } from './input';
import { reportSchema } from './schema';
import { appReport, type ReportOptions } from './service';

export interface AppReportParts extends ReportOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<AppReportParts>();

/** In order: the key, billing, the parameters, the minute of the key, then the work, one report at a time. */
export const appReportApi: EndpointSection<AppReportParts> = {
  tag: 'App reporting',
  description: 'Clicks, installs, money and retention of app campaigns, with the server key of a project.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/reporting/campaigns',
      operationId: 'reportAppCampaigns',
      summary: 'Report on app campaigns',
      description:
        'One request a minute and key. Every campaign is there, with zeros too; the range of days limits ' +
        'figures, not campaigns. Further pages go on in the order of the first.',
      auth: serviceKey('reports', { paid: true }),
      parameters: reportParameters,
      responses: {
        200: { description: 'A page of campaigns.', schema: envelope(200, reportSchema) },
        400: errorReply(400, 'A parameter is invalid.', "Invalid from '2026-02-30'. A date is written YYYY-MM-DD."),
        422: errorReply(422, '`page` or `limit` is out of bounds.', 'Limit 101 exceeds maximum allowed value of 100.'),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const input = toReportInput(readParameters());
        const data = await withReportLimit(parts.limiter, key, () =>
          parts.reports.compute('app-report', (budget) => appReport(parts, budget, project.id, input)),
        );
        const { page, pages } = data.pagination;
        return { msg: `${data.campaigns.length} campaigns retrieved, page ${page} of ${pages}.`, status: 200, data };
      },
    }),
  ],
};

export const appReportRoutes = (parts: AppReportParts): Router => createRoutes(appReportApi, parts);
