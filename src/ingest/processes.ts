/**
 * How far each process has come whose log takes records: what attribution, web reports and erasure wait for
 * (docs/contract/ingest-log.md).
 */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepListening } from '../db/keep-listening';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import type { Log } from '../lib/log';
import type { Backlog, IngestLog } from './log/ingest-log';

const texts = {
  publish: readQuery('sql', 'ingest.publish'),
  forgetProcess: readQuery('sql', 'ingest.forget-process'),
  processes: readQuery('sql', 'ingest.processes'),
  ask: readQuery('sql', 'ingest.ask'),
};

/** What a process shall derive, too: what decides installs, or everything. */
export type Derived = 'decide' | 'derive';
/** How often a process tells how far it has come. */
const PUBLISH_MS = 1_000;
/** How often a caller of `waitUntil` looks, and how often a process looks that was asked. */
const WAIT_MS = 25;
/** After this time without PostgreSQL, or at the start, others may not have reported either. */
const GAP_MS = 5_000;
/** Every process that is alive has reported again within this time. */
const RETURN_MS = 3_000;
/** How long a process that was asked tells what it has reached. */
const ANSWER_MS = 2_000;

export interface ProcessRow extends Record<string, unknown> {
  readonly name: string;
  readonly host: string;
  readonly started_at: Date;
  readonly published_at: Date;
  readonly received_up_to: Date;
  readonly backlog: readonly Backlog[];
  readonly is_left_behind: boolean;
}

export interface ProcessesOptions {
  readonly postgres: Postgres;
  readonly ingestLog: Pick<IngestLog, 'name' | 'watermark' | 'backlog' | 'drainNow' | 'lastStoredAt'>;
  /** INGEST_GRACE: a process that has told nothing for this many seconds is waited for no longer. */
  readonly graceSeconds: number;
  readonly log: Log;
  readonly now: () => number;
}

/** The processes that have a log, this one among them. */
export class Processes {
  /** Somebody waits for the derived tables. */
  onDerive: ((what: Derived) => void) | undefined;
  private task: PeriodicTask | undefined;
  private unlisten: (() => Promise<void>) | undefined;
  private answering = false;
  private publishedAt = 0;
  private returnedAt = 0;
  private othersStoredAt = 0;
  private leftBehind: readonly string[] = [];
  private readonly publishing = new Set<Promise<unknown>>();
  /** What others had told last, once this process tells of itself no more. */
  private last: Settled = { byLiving: 0, byAll: 0 };
  private isGone = false;

  constructor(private readonly options: ProcessesOptions) {}

  /** To be awaited before the first record is taken: nobody decides past it from then on. */
  async start(): Promise<void> {
    await this.publish();
    this.task = runPeriodically('Telling of the ingest log', PUBLISH_MS, this.options.log, () => this.publishInTime());
    this.unlisten = keepListening(this.options.postgres, 'adtrail_ingest', (payload) => {
      void this.answer();
      if (payload === 'decide' || payload === 'derive') this.onDerive?.(payload);
    });
  }

  /**
   * Tells of this process for the last time. `isEmpty` says that nothing is left in its log, so that nobody has to wait
   * for it: it is taken off the list, and whoever still asks here how far everybody is does not put it there again.
   */
  async stop(isEmpty: boolean): Promise<void> {
    await Promise.all([this.task?.stop(), this.unlisten?.()]);
    if (!isEmpty) await this.publish();
    this.isGone = true;
    await Promise.allSettled(this.publishing);
    if (isEmpty) await this.forget(this.options.ingestLog.name);
  }

  /** Nothing is left of what a process had that is gone; false where it is not known. */
  async forget(name: string): Promise<boolean> {
    return (await this.options.postgres.rows(texts.forgetProcess, [name])).length > 0;
  }

  /**
   * Up to which receipt time, in milliseconds, everything that living processes have accepted was in ClickHouse when
   * this was called.
   */
  async settled(): Promise<number> {
    const { byLiving, byAll } = await this.publish();
    // Nobody could tell of itself while PostgreSQL was away: that is no sign of death.
    return this.options.now() - this.returnedAt < RETURN_MS ? byAll : byLiving;
  }

  /** Likewise, of all processes, those that are gone with a log that nobody has drained included. */
  async settledByAll(): Promise<number> {
    return (await this.publish()).byAll;
  }

  /** Waits until everything that was accepted up to `at` is in ClickHouse, for `ms` at most; tells how far it is. */
  async waitUntil(at: number, ms: number): Promise<number> {
    const giveUp = this.options.now() + ms;
    let settled = await this.settled();
    if (settled < at) await this.options.postgres.rows(texts.ask, ['']);
    while (settled < at && this.options.now() < giveUp) {
      await sleep(WAIT_MS);
      settled = await this.settled();
    }
    return settled;
  }

  /** Asks every process to bring the derived tables up to what has been stored. */
  async askToDerive(what: Derived): Promise<void> {
    await this.options.postgres.rows(texts.ask, [what]);
  }

  /** When any process last stored records, in milliseconds since 1970, as far as it is known here; 0 for never. */
  get storedAt(): number {
    return Math.max(this.options.ingestLog.lastStoredAt, this.othersStoredAt);
  }

  async list(): Promise<ProcessRow[]> {
    return this.options.postgres.rows<ProcessRow>(texts.processes, [this.options.graceSeconds]);
  }

  /** Names of those that were left behind at the last look. */
  async lookForLeftBehind(): Promise<readonly string[]> {
    const processes = await this.list();
    this.leftBehind = processes.filter((one) => one.is_left_behind).map(({ name, host }) => `${name} on ${host}`);
    return this.leftBehind;
  }

  get leftBehindCount(): number {
    return this.leftBehind.length;
  }

  get leftBehindNames(): string {
    return this.leftBehind.join(', ');
  }

  /** Whoever asks how far everybody is tells of this process too. */
  private async publishInTime(): Promise<void> {
    if (this.options.now() - this.publishedAt >= PUBLISH_MS / 2) await this.publish();
  }

  /** Another process waits for what this one has accepted. */
  private async answer(): Promise<void> {
    if (this.answering) return;
    this.answering = true;
    const { ingestLog, now } = this.options;
    const asked = now();
    ingestLog.drainNow();
    while (ingestLog.watermark() < asked && now() < asked + ANSWER_MS) await sleep(WAIT_MS);
    this.answering = false;
    // While PostgreSQL is away nobody waits.
    await this.publish().catch(() => undefined);
  }

  /** Tells how far this process is; resolves with how far that makes all that are alive, and all. */
  private async publish(): Promise<Settled> {
    if (this.isGone) return this.last;
    const told = this.tell();
    this.publishing.add(told);
    try {
      return (this.last = await told);
    } finally {
      this.publishing.delete(told);
    }
  }

  private async tell(): Promise<Settled> {
    const { postgres, ingestLog, graceSeconds, now } = this.options;
    const own = ingestLog.watermark();
    const backlog = JSON.stringify(ingestLog.backlog());
    const values = [ingestLog.name, os.hostname(), own, backlog, graceSeconds, ingestLog.lastStoredAt];
    const [others] = await postgres.rows<OthersRow>(texts.publish, values);
    this.othersStoredAt = others?.stored_at ?? 0;
    if (now() - this.publishedAt > GAP_MS) this.returnedAt = now();
    this.publishedAt = now();
    return {
      byLiving: Math.min(own, others?.by_living ?? Infinity),
      byAll: Math.min(own, others?.by_all ?? Infinity),
    };
  }
}

interface OthersRow extends Record<string, unknown> {
  by_living: number | null;
  by_all: number | null;
  stored_at: number;
}

/** Receipt times, in milliseconds, up to which everything is in ClickHouse. */
interface Settled {
  readonly byLiving: number;
  readonly byAll: number;
}
