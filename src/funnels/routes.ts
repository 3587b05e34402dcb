/** `POST /api/v1/reporting/funnel` (docs/contract/queries.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { withRateLimit } from '../http/limits';
import { errorReply, rateLimited, reportUnavailable } from '../openapi/operation';
import type { ReportRunner } from '../reporting/report-runner';
import { DIMENSIONS, funnelSchema, MAX_STEPS, MIN_STEPS, readFunnelInput } from './input';
import { funnelAnswerSchema } from './schema';
import { answer, prepare, type FunnelOptions } from './service';

export interface FunnelParts extends FunnelOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<FunnelParts>();

/** In order: the key, billing, the body, the limit of the key, then the work, one question at a time. */
export const funnelsApi: EndpointSection<FunnelParts> = {
  tag: 'Funnels',
  description: 'How many installs come from one event to the next, with the server key of a project.',
  operations: [
    operation({
      method: 'post',
      path: '/api/v1/reporting/funnel',
      operationId: 'funnel',
      repeatable: true,
      summary: 'Ask for a funnel',
      description:
        `${MIN_STEPS} to ${MAX_STEPS} steps, each an event of an install, within a window from the first one; by ` +
        `${DIMENSIONS.join(', ')}.`,
      auth: serviceKey('reports', { paid: true }),
      body: json({
        schema: funnelSchema,
        example: {
          steps: ['install', 'signup', 'event:level_up', 'payment'],
          order: 'open',
          window_seconds: 604_800,
          dimensions: ['campaign', 'country'],
          filters: [['is', 'platform', ['IOS']]],
          from: '2026-03-01',
          to: '2026-03-31',
        },
        // Large enough for the most values that filters may have.
        limit: '1mb',
        maxValues: 25_000,
        parse: readFunnelInput,
      }),
      responses: {
        200: { description: 'Rows by the dimensions, and all of them together.', schema: funnelAnswerSchema },
        400: errorReply(
          400,
          'The question is malformed or has no meaning.',
          'Unknown step in steps[1]: "login". Legal: install, open, signup, payment, refund, uninstall, event:<name>.',
        ),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts, { readBody }) => {
        const { project, key } = readCaller(ctx);
        const funnel = readBody();
        return withRateLimit(parts.limiter, key, async () => {
          const prepared = await prepare(parts, project.id);
          return parts.reports.compute('funnel', (budget) => answer(budget, project.id, prepared, funnel, parts.now()));
        });
      },
    }),
  ],
};

export const funnelRoutes = (parts: FunnelParts): Router => createRoutes(funnelsApi, parts);
