/** The collector of app events, and all collectors for the reference (docs/contract/collectors.md). */
import type Router from '@koa/router';
import { collector } from '../http/auth-schemes';
import { createRoutes, endpoints } from '../http/endpoint';
import { storeBatch } from '../ingest/batch';
import type { RecordStore } from '../ingest/record';
import { named } from '../lib/schema';
import type { ApiSection } from '../openapi/operation';
import { validateAppEvent } from './app-event';
import { appEventSchema } from './app-schema';
import { BATCH_RESPONSES, describeBatch, noteRefusals, readSender, type CollectorParts } from './batch-routes';
import { withinQuota } from './event';
import { spendOperations } from './spend-routes';
import { webOperations } from './web/routes';

export interface AppCollectorParts extends CollectorParts {
  readonly appEvents: RecordStore;
}

/** In order: the key, the body, then each event; 202 once the good ones are durable. */
const collectAppEvents = endpoints<AppCollectorParts>()({
  method: 'post',
  path: '/collect/v1/app',
  operationId: 'collectAppEvents',
  repeatable: true,
  summary: 'Collect app events',
  description:
    'Each event is checked by itself: a bad one is named in the answer and never blocks the good ones. An ' +
    '`event_id` sent again is stored once. The body is at most 5 MB, gzip accepted.',
  auth: collector.app,
  body: describeBatch(named('AppEvent', appEventSchema), {
    event_id: 'e-1',
    type: 'install',
    time: '2026-03-05T10:00:00Z',
    app_id: 'com.acme.shop',
    install_id: 'i-1',
    gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
  }),
  responses: BATCH_RESPONSES,
  handle: (ctx, parts, { readBody }) => {
    const { snapshot, receipts, quotas, appEvents } = parts;
    const sender = readSender(ctx, parts);
    const stored = storeBatch(
      readBody(),
      (event, receipt) => {
        const record = validateAppEvent(event, sender, receipt, snapshot);
        return withinQuota(quotas, sender, 'install_id', event, record);
      },
      { receipts, store: appEvents },
    );
    return noteRefusals(stored, parts, sender.projectId, 'app');
  },
});

export const collectApi: ApiSection = {
  tag: 'Collectors',
  description: 'Events from apps, websites and servers, and what advertising cost.',
  operations: [collectAppEvents, ...spendOperations, ...webOperations],
};

export const collectRoutes = (parts: AppCollectorParts): Router =>
  createRoutes({ operations: [collectAppEvents] }, parts);
