/** `/api/v1/schedules` (docs/contract/alerts.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { limitCaller, type Access } from '../http/auth';
import { boardAccess } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection, type PathContext } from '../http/endpoint';
import { readId } from '../http/ids';
import { REPLACED_RECEIVERS } from '../notices/receivers';
import { errorReply, pathParameter, rateLimited } from '../openapi/operation';
import { nameTaken } from '../openapi/replies';
import * as schema from './schema';
import * as service from './service';

export interface ScheduleRouteParts extends service.SchedulesParts {
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
  /** Limits the mails that people ask for. */
  readonly testLimiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<ScheduleRouteParts>();

const { reads, changes } = boardAccess;
const id = pathParameter('id', 'The schedule.');
const readScheduleId = (ctx: PathContext<'id'>) => readId(ctx.params.id, 'Schedule');
const example = {
  name: 'Every Monday',
  board_id: 1,
  every: 'week',
  weekday: 1,
  hour: 8,
  receivers: [{ kind: 'email', address: 'boss@acme.example' }],
};
const body = json({ schema: schema.scheduleEntrySchema, example, limit: '100kb' });
const badBody = errorReply(400, 'A field is wrong.', 'weekday: is required for every week');
const missing = errorReply(404, 'The project has no such schedule or board.', 'Schedule not found.');
const taken = nameTaken('schedule', service.MAX_SCHEDULES);

/** In order: who asks, billing, the body, the limit, then the work. */
export const schedulesApi: EndpointSection<ScheduleRouteParts> = {
  tag: 'Alerts',
  description: 'Boards that are mailed at fixed times.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/schedules',
      operationId: 'listSchedules',
      summary: 'List scheduled reports',
      description: 'By name, with when each is due next.',
      auth: reads,
      responses: { 200: { description: 'All of the project.', schema: schema.scheduleListSchema }, 429: rateLimited },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.limiter, ({ project }) => service.listSchedules(parts, project.id)),
    }),
    operation({
      method: 'post',
      path: '/api/v1/schedules',
      operationId: 'createSchedule',
      summary: 'Schedule a report',
      description: 'A board by e-mail: its figures, charts as PNG, and a CSV of each question.',
      auth: changes,
      body,
      responses: {
        201: { description: 'It is made.', schema: schema.scheduleSchema },
        400: badBody,
        404: missing,
        409: taken,
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const entry = readBody();
        return limitCaller(ctx, parts.limiter, ({ project, actor }) =>
          service.createSchedule(parts, actor, project.id, entry),
        );
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/schedules/{id}',
      operationId: 'getSchedule',
      summary: 'Show a scheduled report',
      description: 'With who has unsubscribed.',
      auth: reads,
      parameters: [id],
      responses: {
        200: { description: 'The schedule.', schema: schema.scheduleSchema },
        404: missing,
        429: rateLimited,
      },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.limiter, ({ project }) => service.readSchedule(parts, project.id, readScheduleId(ctx))),
    }),
    operation({
      method: 'put',
      path: '/api/v1/schedules/{id}',
      operationId: 'replaceSchedule',
      summary: 'Replace a scheduled report',
      description: REPLACED_RECEIVERS,
      auth: changes,
      parameters: [id],
      body,
      responses: {
        200: { description: 'It is changed.', schema: schema.scheduleSchema },
        400: badBody,
        404: missing,
        409: taken,
        429: rateLimited,
      },
      handle: (ctx, parts, { readBody }) => {
        const scheduleId = readScheduleId(ctx);
        const entry = readBody();
        return limitCaller(ctx, parts.limiter, ({ project, actor }) =>
          service.changeSchedule(parts, actor, project.id, scheduleId, entry),
        );
      },
    }),
    operation({
      method: 'delete',
      path: '/api/v1/schedules/{id}',
      operationId: 'deleteSchedule',
      summary: 'Delete a scheduled report',
      description: 'With the ledger of what it has sent.',
      auth: changes,
      parameters: [id],
      responses: { 204: { description: 'It is deleted.' }, 404: missing, 429: rateLimited },
      handle: (ctx, parts) => {
        const scheduleId = readScheduleId(ctx);
        return limitCaller(ctx, parts.limiter, ({ project, actor }) =>
          service.deleteSchedule(parts, actor, project.id, scheduleId),
        );
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/schedules/{id}/runs',
      operationId: 'listScheduleRuns',
      summary: 'List what a schedule has sent',
      description: 'The latest 50 times at which it was due or asked for, with what became of each mail.',
      auth: reads,
      parameters: [id],
      responses: { 200: { description: 'The runs.', schema: schema.runListSchema }, 404: missing, 429: rateLimited },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.limiter, ({ project }) => service.listRuns(parts, project.id, readScheduleId(ctx))),
    }),
    operation({
      method: 'post',
      path: '/api/v1/schedules/{id}/send',
      operationId: 'sendSchedule',
      summary: 'Send a report now to oneself',
      description: 'To the address of who is signed in, and to nobody else.',
      auth: changes,
      parameters: [id],
      responses: {
        202: { description: 'It is on its way.', schema: schema.askedSchema },
        400: errorReply(400, 'A key has no address.', 'Only who is signed in has an address that it can be sent to.'),
        404: missing,
        409: errorReply(409, 'No SMTP server is configured.', 'No SMTP server is configured.'),
        429: rateLimited,
      },
      handle: (ctx, parts) =>
        limitCaller(ctx, parts.testLimiter, ({ project, actor }) =>
          service.sendNow(parts, project.id, readScheduleId(ctx), actor),
        ),
    }),
  ],
};

export const scheduleRoutes = (parts: ScheduleRouteParts): Router => createRoutes(schedulesApi, parts);
