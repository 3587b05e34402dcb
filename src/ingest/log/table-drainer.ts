/** Brings the segments of one table to ClickHouse, one insert at a time, and tries again what fails. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { hasName, readErrorName, type ErrorName } from '../../lib/clickhouse-codes';
import type { Deduplicator } from '../deduplicator';
import { INSTALL_KEY_PREFIX } from '../hidden-installs';
import type { DrainerOptions } from './drainer-options';
import { Records } from './records';
import { BLOCK, DamagedSegmentError, REJECTED, SegmentReader, type Block, type Target } from './segment';

const INSERT_TIMEOUT_MS = 30_000;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
/** A row does not fit its table: it will never be taken. Everything else may pass, and is tried again. */
const ROW_ERRORS: ReadonlySet<ErrorName> = new Set([
  'CANNOT_PARSE_TEXT',
  'CANNOT_PARSE_ESCAPE_SEQUENCE',
  'CANNOT_PARSE_QUOTED_STRING',
  'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  'CANNOT_PARSE_DATE',
  'CANNOT_PARSE_DATETIME',
  'TYPE_MISMATCH',
  'ARGUMENT_OUT_OF_BOUND',
  'CANNOT_PARSE_NUMBER',
  'INCORRECT_DATA',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  'CANNOT_PARSE_UUID',
  'DECIMAL_OVERFLOW',
  'CANNOT_PARSE_BOOL',
  'VIOLATED_CONSTRAINT',
  'CANNOT_PARSE_IPV4',
  'CANNOT_PARSE_IPV6',
  'UNKNOWN_ELEMENT_OF_ENUM',
]);

export interface Segment {
  readonly folder: string;
  readonly name: string;
  readonly file: string;
  reader: SegmentReader | undefined;
  /** Nothing more will be written to it. */
  sealed: boolean;
}

const isPartial = ({ starts, bytes }: Block) => starts.length < BLOCK.rows && bytes.length < BLOCK.bytes / 2;

export class TableDrainer {
  private readonly segments: Segment[] = [];
  private running: Promise<void> | undefined;
  private hurrying = false;
  private stopped = false;
  private startedAt = 0;
  private cutPause: (() => void) | undefined;
  private failure: string | undefined;

  constructor(
    private readonly table: string,
    private readonly deduplicator: Deduplicator,
    private readonly options: DrainerOptions,
    private readonly onGone: (segment: Segment) => void,
  ) {}

  add(folder: string, name: string, sealed: boolean): void {
    const known = this.segments.find((segment) => segment.folder === folder && segment.name === name);
    if (known) known.sealed ||= sealed;
    else {
      const file = path.join(this.options.root, folder, name);
      this.segments.push({ folder, name, file, reader: undefined, sealed });
    }
    this.running ??= this.run();
  }

  cutPauseShort(): void {
    this.cutPause?.();
  }

  /** Waits for nothing any more. */
  hurry(): void {
    this.hurrying = true;
    this.cutPauseShort();
  }

  async drained(): Promise<void> {
    await this.running;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cutPause?.();
    await this.running;
    for (const { reader } of this.segments) await reader?.close();
  }

  private async run(): Promise<void> {
    // Synchronous callers come first: what they add belongs to this round.
    await Promise.resolve();
    const { firstMs, roundMs } = this.options.pace;
    do {
      await this.pause(Math.max(firstMs, this.startedAt + roundMs - Date.now()));
      this.startedAt = Date.now();
      for (const segment of [...this.segments]) {
        if (this.stopped) break;
        await this.drain(segment).catch((error: unknown) => this.failed(segment, error));
      }
      // Nobody tells of a sealed segment again.
    } while (!this.stopped && this.segments.some(({ sealed }) => sealed));
    this.running = undefined;
    if (!this.stopped) this.options.events.onIdle(this.table);
  }

  private async pause(ms: number): Promise<void> {
    if (this.hurrying || this.stopped || ms <= 0) return;
    const over = new AbortController();
    this.cutPause = () => over.abort();
    await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    this.cutPause = undefined;
  }

  /** Stores what the segment has by now, and ends it where it is sealed. */
  private async drain(segment: Segment): Promise<void> {
    // Asked first: what is written before the seal is read after it.
    for (let { sealed } = segment; ; { sealed } = segment) {
      segment.reader ??= await SegmentReader.open(segment.file);
      const block = await segment.reader?.read(BLOCK);
      if (block && segment.reader) {
        if (!(await this.store(block, segment, segment.reader))) return;
        // What has come meanwhile waits for the next round: a few large blocks cost far less than many small ones.
        if (!sealed && isPartial(block) && !this.hurrying) return;
      } else {
        if (sealed) await this.remove(segment);
        return;
      }
    }
  }

  /** Resolves with whether the block is stored: it is tried again until it is, or until the process ends. */
  private async store(block: Block, segment: Segment, reader: SegmentReader): Promise<boolean> {
    const started = performance.now();
    const records = new Records(block, reader.target);
    for (let wait = MIN_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        const repeats = await this.insert(records, reader.target, segment);
        this.tell(undefined);
        reader.offset = block.end;
        const { folder, name } = segment;
        this.options.events.onDrained({
          folder,
          segment: name,
          table: this.table,
          end: block.end,
          rows: block.starts.length,
          bytes: block.bytes.length,
          repeats,
          seconds: (performance.now() - started) / 1000,
        });
        return true;
      } catch (error) {
        // A later version has written the segment.
        if (readErrorName(error) === 'NO_SUCH_COLUMN_IN_TABLE')
          throw new DamagedSegmentError('It has a column that ClickHouse does not have');
        this.tell(error instanceof ClickHouseError ? `${error.type} (${error.code})` : (error as Error).message);
        if (this.stopped) return false;
        // Not `pause`: a process that is to end tries again, but not without a breath.
        await sleep(this.hurrying ? MIN_RETRY_MS : wait);
        if (this.stopped) return false;
      }
    }
  }

  /** Stores the rows that are new; resolves with the number of the others. */
  private async insert(records: Records, target: Target, segment: Segment): Promise<number> {
    const broken = records.broken.filter((i) => !records.rejected.has(i));
    if (broken.length > 0) await this.reject(records, broken, segment, 'It does not begin with an ID');
    const { fresh, overtaken, repeats } = await this.choose(records);
    const { hiddenInstalls } = this.deduplicator;
    if (hiddenInstalls && (await hiddenInstalls.areThere()))
      records.change(INSTALL_KEY_PREFIX, (row, columns) => hiddenInstalls.move(row, columns));
    await this.insertRows(records, fresh, target, segment);
    await this.deduplicator.hideLater(overtaken);
    records.each(fresh, (id, day) => this.deduplicator.stored(id, day));
    return repeats;
  }

  /** What of the block is to be stored: numbers of rows, undefined for all of them. */
  private async choose(
    records: Records,
  ): Promise<{ fresh: readonly number[] | undefined; overtaken: readonly string[]; repeats: number }> {
    const suspects: number[] = [];
    records.each(undefined, (id, day, i) => {
      if (!this.deduplicator.isDefinitelyNew(id, day)) suspects.push(i);
    });
    if (suspects.length === 0 && records.meetsItself && records.rejected.size === 0)
      return { fresh: undefined, overtaken: [], repeats: 0 };
    const { known, overtaken } = await this.deduplicator.lookUp(suspects.map((i) => records.suspect(i)));
    const seen = new Set<string>(known);
    const fresh: number[] = [];
    records.each(undefined, (id, _day, i) => {
      if (seen.has(id)) return;
      seen.add(id);
      fresh.push(i);
    });
    return { fresh, overtaken, repeats: records.count - records.rejected.size - fresh.length };
  }

  private async insertRows(
    records: Records,
    rows: readonly number[] | undefined,
    target: Target,
    segment: Segment,
  ): Promise<void> {
    if (rows?.length === 0) return;
    try {
      const { db } = this.options;
      await db.insert(`adtrail.${target.table}`, target.columns, records.joinBytes(rows), INSERT_TIMEOUT_MS);
    } catch (error) {
      if (!(error instanceof ClickHouseError) || !hasName(error, ROW_ERRORS)) throw error;
      const all = rows ?? records.all();
      if (all.length === 1) return this.reject(records, all, segment, `${error.type} (${error.code})`);
      // One of them is at fault: halves find it.
      const half = all.length >> 1;
      await this.insertRows(records, all.slice(0, half), target, segment);
      await this.insertRows(records, all.slice(half), target, segment);
    }
  }

  /** Keeps rows that ClickHouse will never take where an operator finds them. */
  private async reject(records: Records, rows: readonly number[], segment: Segment, reason: string): Promise<void> {
    const folder = path.join(this.options.root, REJECTED);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${segment.folder}.${segment.name}`);
    const { columns } = records.target;
    const lines = rows.map((i) => `${JSON.stringify({ reason, columns, row: records.line(i) })}\n`);
    const handle = await fs.open(file, 'a', 0o600);
    try {
      await handle.write(lines.join(''));
      if (this.options.sync) await handle.datasync();
    } finally {
      await handle.close();
    }
    for (const i of rows) records.rejected.add(i);
    this.options.events.onSetAside({ table: this.table, rows: rows.length, file, reason });
  }

  private async remove(segment: Segment): Promise<void> {
    await segment.reader?.close();
    await fs.rm(segment.file, { force: true });
    this.forget(segment);
    const { folder, name } = segment;
    this.options.events.onRemoved({ folder, segment: name, table: this.table });
  }

  private forget(segment: Segment): void {
    this.segments.splice(this.segments.indexOf(segment), 1);
    this.onGone(segment);
  }

  /** A segment that cannot be read is set aside; the others continue. */
  private async failed(segment: Segment, error: unknown): Promise<void> {
    const { code, message } = error as NodeJS.ErrnoException;
    const isDamaged = error instanceof DamagedSegmentError || code === 'EIO' || code === 'ENOENT';
    this.tell(message);
    // Too many open files and the like may pass: the segment stays first in line.
    if (!isDamaged) return sleep(MAX_RETRY_MS);
    await segment.reader?.close().catch(() => undefined);
    const folder = path.join(this.options.root, REJECTED);
    const file = path.join(folder, `${segment.folder}.${segment.name}.damaged`);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await fs.rename(segment.file, file).catch(() => undefined);
    this.forget(segment);
    this.options.events.onSetAside({ table: this.table, rows: 0, file, reason: message });
    this.options.events.onRemoved({ folder: segment.folder, segment: segment.name, table: this.table });
  }

  private tell(failure: string | undefined): void {
    if (failure !== this.failure) this.options.events.onTrouble(this.table, failure);
    this.failure = failure;
  }
}
