/** `GET /api/v1/reporting/campaigns` (docs/contract/app-report.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { VIEWS } from '../figures/app-model';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withReportLimit } from '../http/limits';
import { readQueryString } from '../http/target';
import { choice, Type } from '../lib/schema';
import {
  envelope,
  errorReply,
  pageParameters,
  queryParameter,
  rateLimited,
  reportUnavailable,
} from '../openapi/operation';
import type { ReportRunner } from '../reporting/report-runner';
import { readReportInput, SORT_FIELDS } from './input';
import { reportSchema } from './schema';
import { appReport, type ReportOptions } from './service';

export interface AppReportParts extends ReportOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<AppReportParts>();

const text = Type.String();
const date = Type.String({ format: 'date' });
/** Sent as text, one of some. */
const chosen = (values: readonly string[], byDefault?: string) =>
  choice(values, { type: 'string', ...(byDefault && { default: byDefault }) });
const names = (what: string) => `Comma-separated ${what}. Unknown ones are dropped silently.`;

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
      parameters: [
        queryParameter('from', "First day, in the project's time zone.", date, '2026-03-01'),
        queryParameter('to', 'Last day.', date, '2026-03-31'),
        queryParameter('start_date', 'The same as `from`, which wins.', date),
        queryParameter('end_date', 'The same as `to`, which wins.', date),
        queryParameter('active', 'Campaigns by whether they are active.', chosen(['true', 'false'])),
        queryParameter('network', '`ad_network_code` of the campaigns.', text, 'meta'),
        queryParameter('meta_account_id', 'ID of one Meta account.', Type.Integer({ minimum: 1 })),
        queryParameter('platform', 'Only what belongs to one platform.', chosen(['ios', 'android'])),
        queryParameter(
          'search',
          'Part of name, display ID, domain, deeplink or tracking link, in any case; or a link.',
          text,
        ),
        queryParameter(
          'view',
          '`retargeting` reports reinstalls and re-engagements.',
          chosen(VIEWS, 'user_acquisition'),
        ),
        queryParameter(
          'sort_field',
          'What to sort by; ties by ID, missing values last.',
          chosen(SORT_FIELDS, 'installs'),
        ),
        queryParameter('sort_order', 'The direction.', chosen(['descending', 'ascending'], 'descending')),
        ...pageParameters({ default: 10, maximum: 100 }),
        queryParameter('events', names('event names to count'), text, 'level_up'),
        queryParameter('payment_events', names('revenue types to count'), text, 'DEFAULT'),
        queryParameter('cost_per_event', names('names to divide the spend by'), text),
        queryParameter('unique_user_events', names('event names of which users are counted'), text),
        queryParameter('active_users', 'Days of the window of active users.', Type.Integer({ minimum: 1, default: 7 })),
      ],
      responses: {
        200: { description: 'A page of campaigns.', schema: envelope(200, reportSchema) },
        400: errorReply(400, 'A parameter is invalid.', "Invalid from '2026-02-30'. A date is written YYYY-MM-DD."),
        422: errorReply(422, '`page` or `limit` is out of bounds.', 'Limit 101 exceeds maximum allowed value of 100.'),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts) => {
        const { project, key } = readCaller(ctx);
        const input = readReportInput(readQueryString(ctx));
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
