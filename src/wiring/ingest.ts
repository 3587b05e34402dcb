/** Wires what stores records: receipts, deduplicators and a store for each table. */
import type { ClickHouse } from '../db/clickhouse';
import { APP_EVENT_COLUMNS } from '../collect/app-event';
import { WEB_EVENT_COLUMNS } from '../collect/web/web-event';
import {
  APP_EVENTS,
  EventDeduplicator,
  TouchDeduplicator,
  WEB_EVENTS,
  type Deduplicator,
} from '../ingest/deduplicator';
import { readFirstVersionOfDay } from '../ingest/queries';
import { Receipts, utcDay } from '../ingest/receipts';
import { LARGE_FLUSH, SMALL_FLUSH, Store, type Flush } from '../ingest/store';
import { WriteHealth } from '../ingest/write-health';
import type { Metrics } from '../metrics';
import type { ipStorage } from '../net/stored-ip';
import { CLICK, DEFINITIONS, type Definition } from '../s2s/definitions';
import { columnsOf } from '../s2s/row';
import { ClickRecorder } from '../tracking-links/recorder';
import { COLUMNS as LINK_COLUMNS } from '../tracking-links/rows';

type PerKind<T> = Readonly<Record<Definition['kind'], T>>;

export interface Ingest {
  readonly receipts: Receipts;
  readonly stores: PerKind<Store>;
  readonly appEvents: Store;
  readonly webEvents: Store;
  readonly recorder: ClickRecorder;
  /** How the last attempts to store went. */
  readonly writes: WriteHealth;
  readonly deduplicators: {
    readonly touches: readonly TouchDeduplicator[];
    readonly appEvents: EventDeduplicator;
    readonly webEvents: EventDeduplicator;
  };
  /** Stores what is queued and waits for it. */
  drain(): Promise<void>;
}

export async function wireIngest(
  clickhouse: ClickHouse,
  metrics: Metrics,
  now: () => number,
  storeIp: IpStorage | undefined,
): Promise<Ingest> {
  const touches = perKind((definition) => new TouchDeduplicator(clickhouse, definition));
  const appEvents = new EventDeduplicator(clickhouse, APP_EVENTS);
  const webEvents = new EventDeduplicator(clickhouse, WEB_EVENTS);
  const writes = new WriteHealth();
  const noteWrite = (stored: boolean) => writes.note(stored, now());
  const store = (table: string, columns: readonly string[], deduplicator: Deduplicator, flush: Flush) =>
    createStore({ clickhouse, table, columns, deduplicator, flush, metrics, noteWrite, storeIp });
  const stores = perKind((definition) =>
    store(definition.table, columnsOf(definition), touches[definition.kind], SMALL_FLUSH),
  );
  // The table of partners' clicks, with columns of its own: those clicks do not pay for what they lack.
  const linkClicks = store(CLICK.table, LINK_COLUMNS, touches.click, SMALL_FLUSH);
  const events = {
    appEvents: store(APP_EVENTS.table, APP_EVENT_COLUMNS, appEvents, LARGE_FLUSH),
    webEvents: store(WEB_EVENTS.table, WEB_EVENT_COLUMNS, webEvents, LARGE_FLUSH),
  };
  const all = [...Object.values(stores), linkClicks, events.appEvents, events.webEvents];
  return {
    ...events,
    writes,
    receipts: await createReceipts(clickhouse, now),
    stores,
    recorder: new ClickRecorder({
      store: linkClicks,
      today: () => utcDay(now()),
      onLost: (clicks) => metrics.lostLinkClicks.inc(clicks),
    }),
    deduplicators: { touches: Object.values(touches), appEvents, webEvents },
    async drain() {
      await Promise.all(all.map((one) => one.drain()));
    },
  };
}

/** Receipts that go on after those of every record that is stored today. */
async function createReceipts(clickhouse: ClickHouse, now: () => number): Promise<Receipts> {
  const receipts = new Receipts(now);
  for (const table of DEFINITIONS) {
    const version = await readFirstVersionOfDay(clickhouse, table, utcDay(now()));
    if (version > 0) receipts.continueAfter(version);
  }
  return receipts;
}

const perKind = <T>(create: (definition: Definition) => T) =>
  Object.fromEntries(DEFINITIONS.map((definition) => [definition.kind, create(definition)])) as PerKind<T>;

interface StoreParts {
  readonly clickhouse: ClickHouse;
  readonly table: string;
  readonly columns: readonly string[];
  readonly deduplicator: Deduplicator;
  readonly flush: Flush;
  readonly metrics: Metrics;
  readonly noteWrite: (stored: boolean) => void;
  readonly storeIp: IpStorage | undefined;
}

/** What becomes of an address, as `ipStorage` makes it. */
export type IpStorage = ReturnType<typeof ipStorage>;

/** Tables whose records are matched by address. */
const MATCHED_BY_IP: ReadonlySet<string> = new Set(['clicks', 'ctv_impressions', 'app_events']);

function createStore({
  clickhouse,
  table,
  columns,
  deduplicator,
  flush,
  metrics,
  noteWrite,
  storeIp,
}: StoreParts): Store {
  const rewritten = storeIp && protectIp(table, columns, storeIp);
  return new Store({
    db: clickhouse,
    table: `adtrail.${table}`,
    columns: rewritten?.columns ?? columns,
    rewrite: rewritten?.rewrite,
    deduplicator,
    flush,
    observe({ rows, repeats, seconds, stored }) {
      noteWrite(stored);
      metrics.flushSeconds.observe({ table }, seconds);
      if (stored) metrics.storedRows.inc({ table }, rows);
      else metrics.refusedRows.inc({ table }, rows);
      metrics.repeatedRows.inc({ table }, repeats);
    },
  });
}

/**
 * Whatever the way a record came, its address is stored as STORE_IP says: here every row passes, and the ways need not
 * know.
 */
function protectIp(table: string, columns: readonly string[], storeIp: IpStorage) {
  const at = columns.indexOf('ip');
  const isMatched = MATCHED_BY_IP.has(table);
  return {
    columns: isMatched ? [...columns, 'ip_hash'] : columns,
    rewrite: (line: string): string => {
      const row = JSON.parse(line) as unknown[];
      const { ip, hash } = storeIp(row[at] as string);
      row[at] = ip;
      if (isMatched) row.push(hash);
      return JSON.stringify(row);
    },
  };
}
