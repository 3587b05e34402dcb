/** `GET /api/v1/partner-quality` (docs/contract/partners.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withRateLimit } from '../http/limits';
import { errorReply, rateLimited, reportUnavailable } from '../openapi/operation';
import type { ReportRunner } from '../reporting/report-runner';
import { checkQualityInput, qualityParameters } from './input';
import { presentQuality } from './presenter';
import { qualitySchema } from './schema';
import { prepare, quality, type QualityOptions } from './service';

export interface QualityParts extends QualityOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<QualityParts>();

/** In order: the key, billing, the parameters, the limit of the key, then the work, one question at a time. */
export const partnerQualityApi: EndpointSection<QualityParts> = {
  tag: 'Quality of partners',
  description: 'What the traffic of each partner of a project is worth, with the server key of the project.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/partner-quality',
      operationId: 'partnerQuality',
      summary: 'Show the quality of partners',
      description: "Every partner that works with the project. Days are those of the project's time zone.",
      auth: serviceKey('reports', { paid: true }),
      parameters: qualityParameters,
      responses: {
        200: { description: 'The partners.', schema: qualitySchema },
        400: errorReply(400, 'A parameter is missing or malformed.', 'from: must be a day, written YYYY-MM-DD'),
        404: errorReply(404, 'The partner does not work with the project.', 'Partner not found.'),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const input = checkQualityInput(readParameters());
        return withRateLimit(parts.limiter, key, async () => {
          const prepared = await prepare(parts, project.id, input);
          return presentQuality(
            input,
            await parts.reports.compute('partner-quality', (budget) => quality(budget, prepared, project.id, input)),
          );
        });
      },
    }),
  ],
};

export const partnerQualityRoutes = (parts: QualityParts): Router => createRoutes(partnerQualityApi, parts);
