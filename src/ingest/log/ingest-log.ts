/**
 * The log that every record goes to before it is acknowledged: where a record is, at each instant.
 *
 * 1. Taken: in the memory of this process, its request waits. A process that dies here has acknowledged nothing.
 * 2. Durable: in a segment on the disk, synced with FSYNC=true. The request is answered (ACCEPT_AFTER=log).
 * 3. Stored: in ClickHouse and in the segment. A process that dies here stores it again, and it counts once.
 * 4. The segment is removed: in ClickHouse alone.
 */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors';
import type { Log } from '../../lib/log';
import type { DrainEvents } from './drainer-options';
import { createFolder, takeOver, type LockedFolder } from './folders';
import type { FromThread, ThreadData, ToThread } from './messages';
import { PendingSegment } from './pending';
import type { Target } from './segment';
import { LogWriter, type Group, type Written } from './writer';

/** How often old segments are ended. */
const SEAL_MS = 500;
/** How often folders of processes that have ended are looked for. */
const TAKE_OVER_MS = 5_000;
/** A draining thread that ended is replaced after this time. */
const RESTART_MS = 500;
/** With rows that wait for longer, ClickHouse does not keep up. */
const BEHIND_MS = 5_000;

/** The record is in the log, and ClickHouse has not taken it in time: it will. */
export class NotStoredYetError extends UnavailableError {}

/** What the log holds of one table that ClickHouse does not have yet. */
export interface Backlog {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  /** Age of the oldest of it. */
  readonly seconds: number;
}

export interface IngestLogEvents {
  readonly onSync: (seconds: number) => void;
  readonly onWrite: (ok: boolean) => void;
  readonly onStored: (stored: { table: string; rows: number; repeats: number; seconds: number }) => void;
  readonly onSetAside: (aside: { table: string; rows: number }) => void;
  /** Nothing is left of what a process had that has ended. Its folder stays until this resolves. */
  readonly onEmptied: (folder: string) => Promise<void>;
}

export interface IngestLogOptions extends Omit<ThreadData, 'root'> {
  readonly root: string;
  /** The program of the draining thread. */
  readonly threadFile: string;
  readonly maxBytes: number;
  readonly acceptAfter: 'log' | 'clickhouse';
  /** How long a request waits for ClickHouse with `clickhouse`, in milliseconds. */
  readonly acceptTimeoutMs: number;
  /** The earliest time of which receipts may still be handed out. */
  readonly earliestOpenReceipt: () => number;
  readonly events: IngestLogEvents;
  readonly log: Log;
}

/** Takes the rows of one table with given columns. */
export interface LogStream {
  /**
   * Takes a row that was received at `at` (milliseconds), in the turn of the event loop in which it got its receipt.
   * Resolves once it is accepted, as ACCEPT_AFTER says.
   *
   * @throws UnavailableError when the log cannot take it; NotStoredYetError when it can, and ClickHouse does not.
   */
  add(line: string, at: number): Promise<void>;
}

export class IngestLog {
  private readonly own: LockedFolder;
  private readonly takenOver = new Map<string, LockedFolder>();
  private readonly writers: LogWriter[] = [];
  private readonly segments = new Map<string, PendingSegment>();
  /** The folders that were taken over and hold nothing any more. */
  private readonly emptied = new Set<string>();
  /** What the folders hold that were taken over, by folder and table. */
  private readonly inherited = new Map<string, { table: string; rows: number; bytes: number; since: number }>();
  private readonly waiting = new WeakMap<Group, Promise<void>>();
  private readonly timers: NodeJS.Timeout[] = [];
  /** Tables that were announced to the thread since it last came to rest. */
  private readonly told = new Set<string>();
  private thread: Worker;
  private sequence = 0;
  private bytes = 0;
  private writeFailure = '';
  private closing = false;
  private stoppedThread: (() => void) | undefined;
  /** When ClickHouse last took rows of this process, in milliseconds; 0 for never. */
  lastStoredAt = 0;
  /** Told whenever it has. */
  onStored: (table: string) => void = () => undefined;

  /** @throws Error when the folder cannot be made or written. */
  constructor(private readonly options: IngestLogOptions) {
    fs.mkdirSync(options.root, { recursive: true, mode: 0o700 });
    this.own = createFolder(options.root);
    this.thread = this.startThread();
    this.takeOver();
    this.timers.push(
      setInterval(() => void Promise.all(this.writers.map((writer) => writer.sealOld())), SEAL_MS),
      setInterval(() => this.takeOver(), TAKE_OVER_MS),
    );
    for (const timer of this.timers) timer.unref();
  }

  /** The name of this process among those that have a log. */
  get name(): string {
    return this.own.name;
  }

  stream(target: Target): LogStream {
    const writer = new LogWriter({
      folder: this.own.path,
      target,
      sync: this.options.sync,
      nextSequence: () => ++this.sequence,
      isDrained: () => this.findOldest(target.table) > Date.now() - BEHIND_MS,
      hasRoom: () => this.bytes < this.options.maxBytes && !this.closing,
      onWritten: (written) => this.written(target.table, written),
      onSealed: (segment) => this.sealed(segment),
      observe: ({ ok, syncSeconds, error }) => this.observeWrite(ok, syncSeconds, error),
    });
    this.writers.push(writer);
    if (this.options.acceptAfter === 'log') return { add: (line, at) => writer.add(line, at).durable };
    return { add: (line, at) => this.stored(writer.add(line, at)) };
  }

  /**
   * Up to this receipt time, in milliseconds, everything that this process has accepted is in ClickHouse; nothing that
   * it has yet to accept is older.
   */
  watermark(): number {
    let earliest = this.options.earliestOpenReceipt();
    for (const writer of this.writers) earliest = Math.min(earliest, writer.earliestPending);
    for (const segment of this.segments.values()) earliest = Math.min(earliest, segment.earliest);
    return earliest - 1;
  }

  /** Somebody waits for what has been accepted: it goes to ClickHouse without waiting for company. */
  drainNow(): void {
    this.post({ type: 'drain-now' });
  }

  /** What waits, by table. */
  backlog(): Backlog[] {
    const tables = new Map<string, { rows: number; bytes: number; since: number }>();
    const count = (table: string, rows: number, bytes: number, since: number) => {
      const sum = tables.get(table) ?? { rows: 0, bytes: 0, since: Infinity };
      tables.set(table, { rows: sum.rows + rows, bytes: sum.bytes + bytes, since: Math.min(sum.since, since) });
    };
    for (const { table, rest, earliest } of this.segments.values())
      if (rest.rows > 0) count(table, rest.rows, rest.bytes, earliest);
    for (const { table, rows, bytes, since } of this.inherited.values()) count(table, rows, bytes, since);
    return [...tables].map(([table, { rows, bytes, since }]) => ({
      table,
      rows,
      bytes,
      seconds: Math.max(0, (Date.now() - since) / 1000),
    }));
  }

  /**
   * Writes what has been taken, and drains for `ms` at most. What is left then is drained at the next start. Resolves
   * with whether nothing is left; then the folder can go.
   */
  async close(ms: number): Promise<boolean> {
    const giveUp = Date.now() + ms;
    this.closing = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.writers.map((writer) => writer.close()));
    const stopped = new Promise<void>((resolve) => (this.stoppedThread = resolve));
    this.post({ type: 'stop', ms: Math.max(0, giveUp - Date.now()) });
    await Promise.race([stopped, sleep(Math.max(0, giveUp - Date.now()) + 100)]);
    await this.thread.terminate();
    for (const segment of this.segments.values()) segment.giveUp(() => new NotStoredYetError());
    return this.segments.size === 0 && this.takenOver.size === 0;
  }

  /** Removes the folder of this process, once nobody waits for it any more. */
  removeFolder(): void {
    this.own.remove();
  }

  private findOldest(table: string): number {
    let oldest = Infinity;
    for (const segment of this.segments.values())
      if (segment.table === table) oldest = Math.min(oldest, segment.earliest);
    return oldest;
  }

  /** Resolves once ClickHouse has the record, too. */
  private async stored(group: Group): Promise<void> {
    await group.durable;
    // One promise for all records of the group.
    let stored = this.waiting.get(group);
    if (!stored) this.waiting.set(group, (stored = this.untilStored(group)));
    await stored;
  }

  private async untilStored({ at }: Group): Promise<void> {
    const segment = at && this.segments.get(at.segment);
    await segment?.untilDrained(at?.end ?? 0, this.options.acceptTimeoutMs, () => new NotStoredYetError());
  }

  private written(table: string, written: Written): void {
    const segment = this.segments.get(written.segment) ?? new PendingSegment(table);
    this.segments.set(written.segment, segment);
    segment.add(written);
    this.bytes += written.bytes;
    if (!this.told.has(table)) this.announce(table, written.segment);
  }

  private announce(table: string, segment: string): void {
    this.told.add(table);
    this.post({ type: 'written', folder: this.own.name, segment });
  }

  private sealed(segment: string): void {
    const state = this.segments.get(segment);
    if (state) state.isSealed = true;
    this.post({ type: 'sealed', folder: this.own.name, segment });
  }

  private observeWrite(ok: boolean, syncSeconds: number, error: Error | undefined): void {
    this.options.events.onWrite(ok);
    if (ok) this.options.events.onSync(syncSeconds);
    const failure = error?.message ?? '';
    if (failure === this.writeFailure) return;
    this.writeFailure = failure;
    if (ok) this.options.log.info('The ingest log can be written again');
    else this.options.log.error(`The ingest log cannot be written: ${failure}`);
  }

  private takeOver(): void {
    try {
      for (const folder of takeOver(this.options.root, new Set([this.own.name, ...this.takenOver.keys()]))) {
        this.takenOver.set(folder.name, folder);
        this.post({ type: 'adopt', folder: folder.name });
      }
    } catch (error) {
      this.options.log.warn(`The ingest log's folder cannot be looked through: ${(error as Error).message}`);
    }
    // Folders of which nobody could be notified before.
    for (const folder of this.emptied) void this.release(folder);
  }

  /** The folder goes last: where telling fails, this process or the next one tells again. */
  private async release(folder: string): Promise<void> {
    this.emptied.add(folder);
    try {
      await this.options.events.onEmptied(folder);
    } catch (error) {
      this.options.log.warn(`A drained ingest log is still listed: ${(error as Error).message}`);
      return;
    }
    this.emptied.delete(folder);
    this.takenOver.get(folder)?.remove();
    this.takenOver.delete(folder);
  }

  private post(message: ToThread): void {
    this.thread.postMessage(message);
  }

  private startThread(): Worker {
    const { root, clickhouseUrl, clickhousePassword, clustered, pace, sync, threadFile, log } = this.options;
    const workerData: ThreadData = { root, clickhouseUrl, clickhousePassword, clustered, pace, sync };
    const thread = new Worker(threadFile, { workerData });
    const events = this.events();
    thread.on('message', (message: FromThread) => {
      if (message.type === 'stopped') this.stoppedThread?.();
      else (events[message.type] as (...args: unknown[]) => void)(...message.args);
    });
    thread.on('error', (error) => log.error(`The thread that drains the ingest log failed: ${error.message}`));
    thread.on('exit', () => {
      if (!this.closing) setTimeout(() => this.restartThread(), RESTART_MS);
    });
    return thread;
  }

  /** Another thread begins every segment again: what is stored already counts once. */
  private restartThread(): void {
    if (this.closing) return;
    this.thread = this.startThread();
    this.told.clear();
    for (const { bytes } of this.inherited.values()) this.bytes -= bytes;
    this.inherited.clear();
    for (const [segment, { table, isSealed }] of this.segments) {
      if (isSealed) this.sealed(segment);
      else this.announce(table, segment);
    }
    for (const folder of this.takenOver.keys()) this.post({ type: 'adopt', folder });
  }

  private events(): DrainEvents {
    const { events, log } = this.options;
    return {
      onDrained: (drained) => {
        this.lastStoredAt = Date.now();
        this.drained(drained);
        events.onStored(drained);
        this.onStored(drained.table);
      },
      onRemoved: ({ folder, segment }) => {
        const state = folder === this.own.name ? this.segments.get(segment) : undefined;
        if (!state) return;
        this.bytes -= state.bytes;
        this.segments.delete(segment);
      },
      onSetAside: ({ table, rows, file, reason }) => {
        log.error(`Set aside from the ingest log, ${rows || 'a segment of'} rows of ${table}, in ${file}: ${reason}`);
        events.onSetAside({ table, rows });
      },
      onIdle: (table) => {
        this.told.delete(table);
        for (const [segment, state] of this.segments)
          if (state.table === table && state.earliest < Infinity) this.announce(table, segment);
      },
      onBacklog: ({ folder, table, rows, bytes, since }) => {
        const key = `${folder}/${table}`;
        const sum = this.inherited.get(key) ?? { table, rows: 0, bytes: 0, since };
        this.inherited.set(key, { ...sum, rows: sum.rows + rows, bytes: sum.bytes + bytes });
        this.bytes += bytes;
      },
      onEmptied: (folder) => {
        for (const [key, { bytes }] of this.inherited) {
          if (!key.startsWith(`${folder}/`)) continue;
          this.bytes -= bytes;
          this.inherited.delete(key);
        }
        void this.release(folder);
      },
      onTrouble: (table, failure) => {
        if (failure === undefined) {
          log.info(`ClickHouse takes ${table} again`);
          return;
        }
        log.warn(`ClickHouse does not take ${table}, which wait in the ingest log: ${failure}`);
      },
    };
  }

  private drained({ folder, segment, table, end, rows, bytes }: Parameters<DrainEvents['onDrained']>[0]): void {
    const inherited = this.inherited.get(`${folder}/${table}`);
    if (inherited) {
      inherited.rows -= rows;
      inherited.bytes -= bytes;
      this.bytes -= bytes;
    }
    if (folder === this.own.name) this.segments.get(segment)?.drained(end);
  }
}
