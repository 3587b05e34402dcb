/** What the collectors of app and web events take and answer (docs/contract/collectors.md). */
import type { Context } from 'koa';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { readCollecting } from '../http/auth';
import { clientIp } from '../http/client-ip';
import { json } from '../http/endpoint';
import type { CollectorLimits } from '../http/limits';
import { readBatch, type BatchAnswer } from '../ingest/batch';
import type { Receipts } from '../ingest/receipts';
import { choice, closed, list, named, Type, type TSchema } from '../lib/schema';
import { parseIp } from '../net/ip';
import { errorReply } from '../openapi/operation';
import { MAX_UA } from './app-schema';
import { EVENT_LIMITS, REASONS } from './batch';
import { readSentAt, type Sender } from './event';
import type { Quotas } from './quotas';
import type { RefusalCounts, Source } from './refusals';

export interface CollectorParts {
  readonly snapshot: ConfigSnapshot;
  readonly receipts: Receipts;
  readonly limits: CollectorLimits;
  readonly quotas: Quotas;
  readonly refusals: RefusalCounts;
  readonly trustProxy: number;
}

/** A batch of such events, of which each is checked by itself: 1,000 events of 250 values. */
export const describeBatch = (event: TSchema, example: unknown) =>
  json({
    schema: Type.Object({
      events: list(event, { maxItems: EVENT_LIMITS.maxRows }),
      sent_at: Type.Optional(
        Type.String({
          description:
            "RFC 3339: what the sender's clock showed. Where it is more than 5 seconds off, the times of the batch " +
            'move.',
        }),
      ),
    }),
    example: { events: [example] },
    limit: '5mb',
    anyText: true,
    maxValues: 250_000,
    parse: (body) => readBatch(body, EVENT_LIMITS),
  });

const rejected = closed({
  index: Type.Integer({ minimum: 0 }),
  reason: choice(REASONS, { type: 'string' }),
  field: Type.String({ description: 'The field, or empty for the event as a whole.' }),
});
export const BATCH_RESPONSES = {
  202: {
    description: 'The good events are durable.',
    schema: named(
      'CollectedBatch',
      closed({
        accepted: Type.Integer({ minimum: 0, description: 'Events that are stored now, or were already.' }),
        rejected: list(rejected),
      }),
    ),
    example: { accepted: 1, rejected: [] },
  },
  400: errorReply(400, 'The body is no JSON object with events.', 'events: must be an array of events'),
  413: errorReply(
    413,
    `More than 5 MB, or more than ${EVENT_LIMITS.maxRows} events.`,
    `A batch takes at most ${EVENT_LIMITS.maxRows} events.`,
  ),
};

/** Notes what of a batch was refused, for those who set the project up; answers with the batch. */
export async function noteRefusals<T extends BatchAnswer>(
  work: Promise<T>,
  { refusals }: Pick<CollectorParts, 'refusals'>,
  projectId: number,
  source: Source,
): Promise<T> {
  const batch = await work;
  refusals.add(projectId, source, batch.rejected);
  return batch;
}

/** Who sent a batch, whose body has been read. A server's own address and user agent are not its users'. */
export function readSender(ctx: Context, { trustProxy }: Pick<CollectorParts, 'trustProxy'>): Sender {
  const { project, trusted } = readCollecting(ctx);
  const address = trusted ? null : parseIp(clientIp(ctx.req, trustProxy));
  return {
    projectId: project.id,
    trusted,
    ip: address?.public ? address.ip : '',
    ua: trusted ? '' : ctx.get('User-Agent').slice(0, MAX_UA),
    sentAt: readSentAt(ctx.request.body),
  };
}
