/** Wires what takes records: receipts, the ingest log and a stream into it for each kind of record. */
import path from 'node:path';
import { APP_EVENT_COLUMNS } from '../collect/app-event';
import { RefusalCounts } from '../collect/refusals';
import { WEB_EVENT_COLUMNS } from '../collect/web/web-event';
import type { Config } from '../config';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { APP_EVENTS, WEB_EVENTS } from '../ingest/deduplicator';
import { IngestLog, type LogStream } from '../ingest/log/ingest-log';
import { Processes } from '../ingest/processes';
import { readFirstVersionOfDay } from '../ingest/queries';
import { Receipts, utcDay } from '../ingest/receipts';
import { rowEncoder } from '../ingest/row-encoder';
import { readTable } from '../tables/tables';
import type { RecordStore, Row } from '../ingest/record';
import { WriteHealth } from '../ingest/write-health';
import type { Log } from '../lib/log';
import type { Metrics } from '../metrics/metrics';
import { findCountry } from '../net/country';
import type { ipStorage } from '../net/stored-ip';
import type { Tracing } from '../tracing/tracing';
import { CLICK, DEFINITIONS, type Definition } from '../s2s/definitions';
import { RefusedSamples } from '../s2s/refused-samples';
import { RequestCounts } from '../s2s/request-counts';
import { listColumns } from '../s2s/row';
import { ClickRecorder } from '../links/recorder';
import { COLUMNS as LINK_COLUMNS } from '../links/rows';

/** While ClickHouse keeps up, a record is there soon, and the blocks are large all the same. */
const PACE = { log: { firstMs: 10, roundMs: 400 }, clickhouse: { firstMs: 5, roundMs: 10 } } as const;

type PerKind<T> = Readonly<Record<Definition['kind'], T>>;

export interface Ingest {
  readonly receipts: Receipts;
  readonly log: IngestLog;
  /** This process and others that have a log. */
  readonly processes: Processes;
  readonly stores: PerKind<RecordStore>;
  readonly appEvents: RecordStore;
  readonly webEvents: RecordStore;
  readonly recorder: ClickRecorder;
  /** How many S2S requests this process has accepted and refused; wiring/service.ts stores them. */
  readonly requestCounts: RequestCounts;
  /** Some of the S2S requests that this process has refused; wiring/service.ts stores them. */
  readonly refusedSamples: RefusedSamples;
  /** What collectors of this process refused; wiring/service.ts stores it. */
  readonly refusals: RefusalCounts;
  /** How the last attempts to write the log went. */
  readonly writes: WriteHealth;
}

export interface IngestParts {
  readonly config: Config;
  readonly at: { readonly clickhouseUrl: string; readonly clickhousePassword: string | undefined };
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Log;
  readonly now: () => number;
  readonly storeIp: IpStorage | undefined;
}

/** Opens the log of this process; it is known to the others when this resolves. */
export async function wireIngest(parts: IngestParts): Promise<Ingest> {
  const { config, postgres, clickhouse, metrics, log, now, storeIp } = parts;
  // A service that was not built says so as it starts, not with its first record.
  findCountry('');
  const receipts = new Receipts(now);
  await continueReceipts(receipts, clickhouse, parts.log, now);
  const writes = new WriteHealth();
  const ingestLog = openLog(parts, receipts, writes, async (folder) => void (await processes.forget(folder)));
  const { graceSeconds } = config.ingest;
  const processes = new Processes({ postgres, ingestLog, graceSeconds, log, now });
  await processes.start();
  const store = <Column extends string>(table: string, columns: readonly [Column, ...Column[]]) => {
    // An increase is seen from 0 on only: without it nobody would be notified of the first.
    for (const what of ['row', 'segment']) metrics.setAside.inc({ table, what }, 0);
    return createStore(ingestLog, table, columns, storeIp);
  };
  metrics.onIngest(() => ({
    backlog: ingestLog.backlog(),
    watermark: ingestLog.watermark(),
    leftBehind: processes.leftBehindCount,
  }));
  return {
    log: ingestLog,
    processes,
    receipts,
    writes,
    stores: Object.fromEntries(
      DEFINITIONS.map((definition) => [definition.kind, store(definition.table, listColumns(definition))]),
    ) as PerKind<RecordStore>,
    appEvents: store(APP_EVENTS.table, APP_EVENT_COLUMNS),
    webEvents: store(WEB_EVENTS.table, WEB_EVENT_COLUMNS),
    requestCounts: new RequestCounts(clickhouse, now),
    refusedSamples: new RefusedSamples(postgres, now, config.storeIp),
    refusals: new RefusalCounts(postgres, now),
    recorder: new ClickRecorder({
      // The table of partners' clicks, with its own columns: those clicks do not pay for what they lack.
      store: store(CLICK.table, LINK_COLUMNS),
      receipts,
      onLost: (clicks) => metrics.lostLinkClicks.inc(clicks),
    }),
  };
}

function openLog(
  { config, at, metrics, tracing, log, now }: IngestParts,
  receipts: Receipts,
  writes: WriteHealth,
  onEmptied: (folder: string) => Promise<void>,
): IngestLog {
  const { folder, maxMb, acceptAfter, acceptTimeoutMs } = config.ingest;
  return new IngestLog({
    ...at,
    root: folder,
    threadFile: path.join(__dirname, 'drain-thread.js'),
    maxBytes: (maxMb * 1024 * 1024) / config.workers,
    acceptAfter,
    acceptTimeoutMs,
    clustered: config.clickhouse.cluster !== undefined,
    pace: PACE[acceptAfter],
    sync: config.fsync,
    earliestOpenReceipt: () => receipts.earliestOpen,
    log,
    events: {
      onSync: (seconds) => metrics.syncSeconds.observe(seconds),
      onWrite: (ok) => writes.note(ok, now()),
      onStored({ table, rows, repeats, seconds }) {
        metrics.insertSeconds.observe({ table }, seconds);
        tracing.past(`drain ${table}`, { 'adtrail.rows': rows }, seconds);
        metrics.storedRows.inc({ table }, rows);
        metrics.repeatedRows.inc({ table }, repeats);
      },
      onSetAside: ({ table, rows }) => metrics.setAside.inc({ table, what: rows > 0 ? 'row' : 'segment' }, rows || 1),
      onEmptied,
    },
  });
}

/**
 * Receipts continue after those of every record that is stored today, also where the clock was set back. Where
 * ClickHouse does not answer, the clock has to do: records are taken all the same.
 */
async function continueReceipts(
  receipts: Receipts,
  clickhouse: ClickHouse,
  log: Log,
  now: () => number,
): Promise<void> {
  for (const table of DEFINITIONS) {
    const version = await readFirstVersionOfDay(clickhouse, table, utcDay(now())).catch((error: Error) => {
      log.warn(`Receipts of ${table.table} go by the clock alone: ${error.message}`);
      return 0;
    });
    if (version > 0) receipts.continueAfter(version);
  }
}

/** What becomes of an address, as `ipStorage` makes it. */
export type IpStorage = ReturnType<typeof ipStorage>;

/** Whatever the way a record came, its address is stored as STORE_IP says: here every row passes. */
function createStore<Column extends string>(
  log: IngestLog,
  table: string,
  columns: readonly [Column, ...Column[]],
  storeIp: IpStorage | undefined,
): RecordStore<Column> {
  const isHashed = storeIp !== undefined && readTable(table)?.isMatchedByIp === true;
  const { columns: ordered, encode } = rowEncoder<string>(isHashed ? [...columns, 'ip_hash'] : columns);
  const stream: LogStream = log.stream({ table, columns: ordered });
  const protect = (row: Row<string>): Row<string> => {
    if (!storeIp) return row;
    const { ip, hash } = storeIp(row.ip as string);
    return { ...row, ip, ip_hash: hash };
  };
  return { add: ({ row, at }) => stream.add(encode(protect(row)), at) };
}
