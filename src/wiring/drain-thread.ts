/** The thread that drains the log of its process: inserts and look-ups do not hold up the thread that answers. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { connectClickHouse } from '../db/clickhouse';
import { DEFINITIONS } from '../s2s/definitions';
import {
  APP_EVENTS,
  EventDeduplicator,
  TouchDeduplicator,
  WEB_EVENTS,
  type Deduplicator,
} from '../ingest/deduplicator';
import { HiddenInstalls } from '../ingest/hidden-installs';
import { Drainer } from '../ingest/log/drainer';
import type { DrainEvents } from '../ingest/log/drainer-options';
import { readNewestParts } from '../ingest/queries';
import { utcDay } from '../ingest/receipts';
import { DAY_MS } from '../lib/time';
import type { FromThread, ThreadData, ToThread } from '../ingest/log/messages';

/** How often the IDs that others have stored are loaded. */
const LOAD_MS = 4_000;
const CONNECTIONS = 8;
/** The IDs of the day before are loaded within this time after midnight. */
const MIDNIGHT_MS = 60_000;

const port = parentPort as MessagePort;
const { clickhouseUrl, clickhousePassword, clustered, ...data } = workerData as ThreadData;
const db = connectClickHouse(clickhouseUrl, clickhousePassword, { connections: CONNECTIONS });
const deduplicators = new Map<string, Deduplicator>([
  ...DEFINITIONS.map((definition) => [definition.table, new TouchDeduplicator(db, definition)] as const),
  [APP_EVENTS.table, new EventDeduplicator(db, APP_EVENTS, new HiddenInstalls(db))],
  [WEB_EVENTS.table, new EventDeduplicator(db, WEB_EVENTS)],
]);

const tell = (message: FromThread) => port.postMessage(message);
const event =
  <Name extends keyof DrainEvents>(type: Name) =>
  (...args: Parameters<DrainEvents[Name]>) =>
    tell({ type, args } as FromThread);
const events: DrainEvents = {
  onDrained: event('onDrained'),
  onRemoved: event('onRemoved'),
  onSetAside: event('onSetAside'),
  onIdle: event('onIdle'),
  onBacklog: event('onBacklog'),
  onEmptied: event('onEmptied'),
  onTrouble: event('onTrouble'),
};
const drainer = new Drainer({ ...data, db, events, findDeduplicator: (table) => deduplicators.get(table) });

let loadedParts = '';

/** While nothing is stored there is nothing to load, but at the start and after a midnight. */
async function loadIds(): Promise<void> {
  const now = Date.now();
  // On a cluster no node knows the parts of all others.
  const parts = clustered ? '' : `${await readNewestParts(db, [...deduplicators.keys()])} ${utcDay(now)}`;
  const isMidnight = now % DAY_MS < MIDNIGHT_MS;
  if (parts !== '' && parts === loadedParts && !isMidnight) return;
  for (const deduplicator of deduplicators.values()) await deduplicator.keepLoaded(now);
  loadedParts = parts;
}

/** Until its IDs are loaded a record is looked up: a load that fails costs time, and is tried again. */
async function keepLoaded(): Promise<void> {
  await loadIds().catch(() => undefined);
  setTimeout(() => void keepLoaded(), LOAD_MS).unref();
}

async function stop(ms: number): Promise<void> {
  await drainer.stop(ms);
  tell({ type: 'stopped' });
  port.close();
}

port.on('message', (message: ToThread) => {
  if (message.type === 'written') drainer.written(message.folder, message.segment);
  else if (message.type === 'sealed') drainer.sealed(message.folder, message.segment);
  else if (message.type === 'drain-now') drainer.drainNow();
  else if (message.type === 'adopt') void drainer.adopt(message.folder);
  else void stop(message.ms);
});
void keepLoaded();
