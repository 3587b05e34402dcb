/** The collectors for the OpenAPI document (docs/contract/collectors.md). */
import { closed, list, named, choice, Type, type TSchema } from '../lib/schema';
import { errorReply, rateLimited, type ApiSection } from '../openapi/operation';
import { appEventSchema } from './app-schema';
import { EVENT_LIMITS, REASONS } from './batch';
import { spendOperation, spendUploadOperation } from './spend-openapi';
import { webEventSchema } from './web/schema';

const describeBatch = (event: TSchema) =>
  Type.Object({
    events: list(event, { maxItems: EVENT_LIMITS.maxRows }),
    sent_at: Type.Optional(
      Type.String({
        description:
          "RFC 3339: what the sender's clock showed. Where it is more than 5 seconds off, the times of the batch move.",
      }),
    ),
  });
const rejected = closed({
  index: Type.Integer({ minimum: 0 }),
  reason: choice(REASONS, { type: 'string' }),
  field: Type.String({ description: 'The field, or empty for the event as a whole.' }),
});
const responses = {
  400: errorReply(400, 'The body is no JSON object with events.', 'events: must be an array of events'),
  401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
  413: errorReply(
    413,
    `More than 5 MB, or more than ${EVENT_LIMITS.maxRows} events.`,
    `A batch takes at most ${EVENT_LIMITS.maxRows} events.`,
  ),
};
const batchAnswer = named(
  'CollectedBatch',
  closed({
    accepted: Type.Integer({ minimum: 0, description: 'Events that are stored now, or were already.' }),
    rejected: list(rejected),
  }),
);

export const collectApi: ApiSection = {
  tag: 'Collectors',
  description: 'Events from apps, websites and servers, and what advertising cost.',
  operations: [
    {
      method: 'post',
      path: '/collect/v1/app',
      operationId: 'collectAppEvents',
      summary: 'Collect app events',
      description:
        'Each event is checked by itself: a bad one is named in the answer and never blocks the good ones. An ' +
        '`event_id` sent again is stored once. The body is at most 5 MB, gzip accepted.',
      security: ['appKey', 'serviceKey'],
      body: {
        schema: describeBatch(named('AppEvent', appEventSchema)),
        example: {
          events: [
            {
              event_id: 'e-1',
              type: 'install',
              time: '2026-03-05T10:00:00Z',
              app_id: 'com.acme.shop',
              install_id: 'i-1',
              gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
            },
          ],
        },
      },
      responses: {
        202: {
          description: 'The good events are durable.',
          schema: batchAnswer,
          example: { accepted: 1, rejected: [] },
        },
        ...responses,
      },
    },
    spendOperation,
    spendUploadOperation,
    {
      method: 'post',
      path: '/collect/v1/web',
      operationId: 'collectWebEvents',
      summary: 'Collect web events',
      description:
        'What /adtrail.js sends, from any origin, as `text/plain` too; like app events, each is checked by ' +
        'itself and stored once. Campaigns are read from the query of `url`, else from its fragment.',
      security: ['webKey', 'webKeyParameter', 'serviceKey'],
      body: {
        schema: describeBatch(named('WebEvent', webEventSchema)),
        example: {
          events: [
            {
              event_id: 'e-1',
              type: 'page_view',
              time: '2026-03-05T10:00:00Z',
              visitor_id: 'v-1',
              session_id: 's-1',
              url: 'https://acme.example/?utm_source=newsletter&utm_medium=email',
            },
          ],
        },
      },
      responses: {
        202: {
          description: 'The good events are durable.',
          schema: batchAnswer,
          example: { accepted: 1, rejected: [] },
        },
        ...responses,
      },
    },
    {
      method: 'get',
      path: '/adtrail.js',
      operationId: 'getBrowserScript',
      summary: 'Get the browser script',
      description:
        'Measures the visits of the website that includes it. It sets a cookie only with `data-cookie-domain`.',
      security: [],
      responses: {
        200: { description: 'The script.', schema: Type.String(), type: 'text/javascript' },
        429: rateLimited,
      },
    },
  ],
};
