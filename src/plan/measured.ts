/**
 * What things cost, as it was measured; each names where. Most are of one virtual machine with 2 cores on which the
 * load ran too, so a plan made of them is rather too large than too small. The numbers of benchmarks stand in
 * measured.json, which the benchmarks write themselves with `RECORD=true` (test/bench/record.ts).
 */
import recorded from './measured.json';

interface Measured {
  readonly value: number;
  readonly unit: string;
  /** A page and its heading. */
  readonly from: string;
}

const figure = (value: number, unit: string, from: string): Measured => ({ value, unit, from });

export const MEASURED = {
  clickService: figure(recorded.clickService, 'µs of CPU a click', 'docs/benchmarks.md, Ingest'),
  clickStored: figure(recorded.clickStored, 'µs of CPU a click in ClickHouse', 'docs/benchmarks.md, Ingest'),
  /** 50 million stored and taken in within 512 s, on 2 cores at most; what storing takes is in it. */
  clickTakenIn: figure(
    recorded.clickTakenIn,
    'µs of CPU a click in ClickHouse, at most',
    'docs/benchmarks.md, Attribution',
  ),
  eventService: figure(recorded.eventService, 'µs of CPU an app event', 'docs/benchmarks.md, App events'),
  eventStored: figure(recorded.eventStored, 'µs of CPU an app event in ClickHouse', 'docs/benchmarks.md, App events'),
  /** 1.23 cores at 10,000 a second, each of another install. */
  eventDerived: figure(
    recorded.eventDerived,
    'µs of CPU an app event in ClickHouse, at worst',
    'docs/benchmarks.md, App report',
  ),
  /** The statements of a turn of 400 installs, 556 ms. */
  installDecided: figure(recorded.installDecided, 'µs of CPU an install, at most', 'docs/benchmarks.md, Attribution'),
  decider: figure(
    recorded.decider,
    'installs a second that one decider kept up with',
    'docs/benchmarks.md, Attribution',
  ),
  /** 3,568 a second took 2 cores, their receiver included. */
  message: figure(recorded.message, 'µs of CPU a postback, at most', 'docs/benchmarks.md, Messages'),
  report: figure(2, 'cores while a report is computed', 'docs/benchmarks.md, App report'),
  clickBytes: figure(recorded.clickBytes, 'bytes a click', 'docs/benchmarks.md, Ingest'),
  touchBytes: figure(recorded.touchBytes, 'bytes a click among touches by ID', 'docs/benchmarks.md, Attribution'),
  keyBytes: figure(recorded.keyBytes, 'bytes a key of the index by identifier', 'docs/benchmarks.md, Attribution'),
  /** 200 of the event, 37 beside what else is known of its install, and the install's own among eleven events. */
  eventBytes: figure(260, 'bytes an app event with what is derived of it', 'docs/benchmarks.md, App events'),
  /** A process has one for all earlier days, and one for each day that it runs. */
  largestFilter: figure(537, 'MB of memory, the largest Bloom filter', 'src/ingest/id-filter.ts'),
  filterBytes: figure(2, 'bytes of memory a stored record (Bloom filters)', 'docs/operations.md, On one machine'),
  logBytes: figure(300, 'bytes a click in the ingest log', 'docs/operations.md, When an engine is away'),
  serviceMemory: figure(recorded.serviceMemory, 'MB a process that takes clicks', 'docs/benchmarks.md, Ingest'),
  clickhouseMemory: figure(
    recorded.clickhouseMemory,
    'MB of ClickHouse at rest',
    'docs/benchmarks.md, An idle service',
  ),
  postgresMemory: figure(recorded.postgresMemory, 'MB of PostgreSQL', 'docs/benchmarks.md, An idle service'),
  reportMemory: figure(2_500, 'MB that reports may take together', 'docs/configuration.md, REPORT_MEMORY_MB'),
} as const satisfies Readonly<Record<string, Measured>>;

/** What is not measured but chosen. */
export const ASSUMED = {
  /** The busiest hour against the mean of the day. */
  peak: 4,
  /** Work above half of what the cores can do waits: p99 was 91 ms at half load. */
  busy: 0.5,
  /** Identifiers of a click: its device and its address. */
  keys: 2,
  /** How long ClickHouse may be away at the peak, in hours, before requests are answered 503. */
  awayHours: 2,
  /** How much of the disk may be used; merges write a part anew before they drop the old ones. */
  diskFull: 0.6,
  /** Days after which a process is started anew at the latest. */
  uptimeDays: 31,
  /** Days in which a touch may be credited: their index is best in memory. */
  lookbackDays: 30,
  /** The largest machine that is planned with, and the most that one ClickHouse server should hold. */
  machine: { cores: 16, memoryGb: 64, diskGb: 4_000 },
} as const;
