/** `/api/v1/alerts` (docs/contract/alerts.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { limitCaller, type Access } from '../http/auth';
import { boardAccess } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection, type PathContext } from '../http/endpoint';
import { readId } from '../http/ids';
import { Type } from '../lib/schema';
import { validator } from '../lib/validate';
import { REPLACED_RECEIVERS } from '../notices/receivers';
import { errorReply, pathParameter, queryParameter, rateLimited, reportUnavailable } from '../openapi/operation';
import { nameTaken } from '../openapi/replies';
import { previewAlert } from './preview';
import { presentJudgement } from './presenter';
import * as queries from './queries';
import * as schema from './schema';
import * as service from './service';

export interface AlertRouteParts extends service.AlertsParts {
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
  /** What judgements cost, which are questions. */
  readonly queryLimiter: RateLimiterAbstract | undefined;
  /** Limits the test messages that people ask for. */
  readonly testLimiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<AlertRouteParts>();

const { reads, changes } = boardAccess;
const id = pathParameter('id', 'The alert.');
const readAlertId = (ctx: PathContext<'id'>) => readId(ctx.params.id, 'Alert');
const question = { source: 'app', metrics: ['installs'], dimensions: ['campaign'], range: 'yesterday' } as const;
const condition = { type: 'change', direction: 'down', percent: 50 } as const;
const example = {
  name: 'Installs halved',
  question,
  condition,
  receivers: [{ kind: 'email', address: 'boss@acme.example' }],
};
const body = json({
  schema: schema.alertEntrySchema,
  example,
  limit: '100kb',
  parse: validator(schema.checkedEntrySchema),
});
const badBody = errorReply(400, 'A field is wrong.', 'condition.type: must be one of threshold, change, unusual');
const missing = errorReply(404, 'The project has no such alert, question, partner or campaign.', 'Alert not found.');
const taken = nameTaken('alert', service.MAX_ALERTS);

/** The greatest ID of an event that is asked for. */
const MAX_EVENT = Number.MAX_SAFE_INTEGER;

/** In order: who asks, billing, the body, the limit, then the work. */
export const alertsApi: EndpointSection<AlertRouteParts> = {
  tag: 'Alerts',
  description: 'What a project wants to be told of, and scheduled reports.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/alerts',
      operationId: 'listAlerts',
      summary: 'List alerts',
      description: 'By name, with what came of their last judgement.',
      auth: reads,
      responses: { 200: { description: 'All of the project.', schema: schema.alertListSchema }, 429: rateLimited },
      handle: (ctx, parts) => limitCaller(ctx, parts.limiter, ({ project }) => service.listAlerts(parts, project.id)),
    }),
    operation({
      method: 'post',
      path: '/api/v1/alerts',
      operationId: 'createAlert',
      summary: 'Make an alert',
      description: 'It is judged at once, and whenever more days or hours are complete.',
      auth: changes,
      body,
      responses: {
        201: { description: 'It is made.', schema: schema.savedAlertSchema },
        400: badBody,
        404: missing,
        409: taken,
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const entry = readBody();
        return limitCaller(ctx, parts.limiter, ({ project, actor }) =>
          service.createAlert(parts, actor, project.id, entry),
        );
      },
    }),
    operation({
      method: 'post',
      path: '/api/v1/alerts/preview',
      operationId: 'previewAlert',
      repeatable: true,
      summary: 'Try an alert on the last thirty days',
      description:
        'How often it would have fired, with the figures of today. Conditions on what is received have no preview. ' +
        'Days that cannot be judged within 15 seconds are left out, the latest ones.',
      auth: changes,
      body: json({
        schema: schema.previewEntrySchema,
        example: { question, condition },
        limit: '100kb',
        parse: validator(schema.checkedPreviewSchema),
      }),
      responses: {
        200: { description: 'Day by day.', schema: schema.previewSchema },
        400: badBody,
        404: missing,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts, { readBody }) => {
        const entry = readBody();
        return limitCaller(ctx, parts.queryLimiter, async ({ project }) => {
          const asked = await service.checkAsked(parts.postgres, project.id, entry);
          const { timezone } = await queries.readProject(parts.postgres, project.id);
          const asQuestion = await service.readAsked(parts.postgres, project.id, asked);
          return previewAlert(parts, { projectId: project.id, timezone }, asked.condition, asQuestion);
        });
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/alerts/{id}',
      operationId: 'getAlert',
      summary: 'Show an alert',
      description: 'With what came of its last judgement. Of URLs of receivers only the host is shown.',
      auth: reads,
      parameters: [id],
      responses: { 200: { description: 'The alert.', schema: schema.alertSchema }, 404: missing, 429: rateLimited },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.limiter, ({ project }) => service.readAlert(parts, project.id, readAlertId(ctx))),
    }),
    operation({
      method: 'put',
      path: '/api/v1/alerts/{id}',
      operationId: 'replaceAlert',
      summary: 'Replace an alert',
      description: `${REPLACED_RECEIVERS} An alert that asks or waits for something else begins anew.`,
      auth: changes,
      parameters: [id],
      body,
      responses: {
        200: { description: 'It is changed.', schema: schema.savedAlertSchema },
        400: badBody,
        404: missing,
        409: taken,
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const alertId = readAlertId(ctx);
        const entry = readBody();
        return limitCaller(ctx, parts.limiter, ({ project, actor }) =>
          service.changeAlert(parts, actor, project.id, alertId, entry),
        );
      },
    }),
    operation({
      method: 'delete',
      path: '/api/v1/alerts/{id}',
      operationId: 'deleteAlert',
      summary: 'Delete an alert',
      description: 'With all that it has told.',
      auth: changes,
      parameters: [id],
      responses: { 204: { description: 'It is deleted.' }, 404: missing, 429: rateLimited },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.limiter, ({ project, actor }) =>
          service.deleteAlert(parts, actor, project.id, readAlertId(ctx)),
        ),
    }),
    operation({
      method: 'get',
      path: '/api/v1/alerts/{id}/events',
      operationId: 'listAlertEvents',
      summary: 'List what fired, when and why',
      description: 'The latest first, 50 at a time, of the last 90 days; with what became of each message.',
      auth: reads,
      parameters: [
        id,
        queryParameter('before', 'Only those before this event.', Type.Integer({ minimum: 1, maximum: MAX_EVENT })),
      ],
      responses: {
        200: { description: 'The events.', schema: schema.eventListSchema },
        400: errorReply(400, 'A parameter is malformed.', 'before: must be a whole number'),
        404: missing,
        429: rateLimited,
      },
      handle: (ctx, parts, { readParameters }) => {
        const { before = null } = readParameters();
        return limitCaller(ctx, parts.limiter, ({ project }) =>
          service.listEvents(parts, project.id, readAlertId(ctx), before),
        );
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/alerts/{id}/hours',
      operationId: 'listAlertHours',
      summary: 'Show what was received by hour',
      description:
        'The last seven days of what a condition on receipts waits for: records received, each once, or requests ' +
        'refused, by reason, of those five that were the most. Other conditions have none.',
      auth: reads,
      parameters: [id],
      responses: {
        200: { description: 'The hours.', schema: schema.hoursSchema },
        404: missing,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.queryLimiter, ({ project }) => service.listHours(parts, project.id, readAlertId(ctx))),
    }),
    operation({
      method: 'post',
      path: '/api/v1/alerts/{id}/test',
      operationId: 'testAlert',
      summary: 'Judge an alert now',
      description: 'Shows what would come of it. Nothing is noted, and nothing is sent.',
      auth: changes,
      parameters: [id],
      responses: {
        200: { description: 'The judgement.', schema: schema.testSchema },
        404: missing,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.queryLimiter, async ({ project }) =>
          presentJudgement(await service.testAlert(parts, project.id, readAlertId(ctx))),
        ),
    }),
    operation({
      method: 'post',
      path: '/api/v1/alerts/{id}/test-message',
      operationId: 'testAlertMessage',
      summary: 'Send a test message to all receivers',
      description: 'Once each, and says what came of it. Addresses that have unsubscribed get none.',
      auth: changes,
      parameters: [id],
      responses: {
        200: { description: 'By receiver.', schema: schema.messageTestSchema },
        404: missing,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.testLimiter, async ({ project }) => ({
          messages: await service.testMessages(parts, project.id, readAlertId(ctx)),
        })),
    }),
  ],
};

export const alertRoutes = (parts: AlertRouteParts): Router => createRoutes(alertsApi, parts);
