/** What the ingest log holds. */
import { Gauge, type Registry } from 'prom-client';

/** What the ingest log of this process holds that ClickHouse does not have yet. */
export interface IngestState {
  readonly backlog: readonly {
    readonly table: string;
    readonly rows: number;
    readonly bytes: number;
    readonly seconds: number;
  }[];
  /** Everything received up to then, in milliseconds, is in ClickHouse. */
  readonly watermark: number;
  /** Processes that decisions no longer wait for. */
  readonly leftBehind: number;
}

/** The gauges of the ingest log; answers a function that is told where to read them. */
export function ingestGauges(registry: Registry): (read: () => IngestState) => void {
  let read: () => IngestState = () => ({ backlog: [], watermark: Date.now(), leftBehind: 0 });
  const registers = [registry];
  const byTable = (name: string, help: string, unit: 'rows' | 'bytes' | 'seconds') =>
    new Gauge({
      name,
      help,
      labelNames: ['table'],
      registers,
      aggregator: unit === 'seconds' ? 'max' : 'sum',
      collect() {
        this.reset();
        for (const waiting of read().backlog) this.set({ table: waiting.table }, waiting[unit]);
      },
    });
  byTable('adtrail_ingest_backlog_records', 'Records in the ingest log that ClickHouse does not have yet', 'rows');
  byTable('adtrail_ingest_backlog_bytes', 'Bytes in the ingest log that ClickHouse does not have yet', 'bytes');
  byTable('adtrail_ingest_backlog_seconds', 'Age of the oldest record that ClickHouse does not have yet', 'seconds');
  new Gauge({
    name: 'adtrail_ingest_watermark_seconds',
    help: 'Unix time up to which everything that this process received is in ClickHouse',
    registers,
    aggregator: 'min',
    collect() {
      this.set(read().watermark / 1000);
    },
  });
  new Gauge({
    name: 'adtrail_ingest_left_behind',
    help: 'Processes that have told nothing for INGEST_GRACE, and that decisions no longer wait for',
    registers,
    aggregator: 'max',
    collect() {
      this.set(read().leftBehind);
    },
  });
  return (from) => {
    read = from;
  };
}
