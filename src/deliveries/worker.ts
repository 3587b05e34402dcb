/**
 * Sends what is settled. Several processes do at once: each takes messages up for a while, sends them, writes the
 * attempts to the log, and then says in PostgreSQL what became of them.
 *
 * A process that dies leaves its messages taken up; after that while another one sends them, under the same ID. So a
 * message is sent at least once, and recognised when it is sent again.
 */
import { changeAs, SERVICE } from '../configuration/change';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import type { Log } from '../lib/log';
import { runPeriodically } from '../lib/periodic';
import { SealError, type Seals } from '../lib/seal';
import type { Tracing } from '../tracing/tracing';
import { logAttempts, type Attempt } from './attempts';
import { Breaker } from './breaker';
import { makeLetter, type MadeLetter } from './letters';
import * as queries from './queries';
import type { EventMacros, Message } from './queries';
import type { Sender } from './sender';
import { isReceiverDown, judge } from './verdict';

/** How long a message is taken up: longer than it waits here and is sent. */
const TAKEN_SECONDS = 60;
/** What waits here for so long is left to whoever takes it up next. */
const LATEST_START_MS = (TAKEN_SECONDS - 20) * 1_000;
/** Messages on their way to one host at once. */
const AT_ONCE_TO_HOST = 64;
/** Messages that are taken up at once: in all, and of a host that answers. */
const MOST_TAKEN = 4_000;
const MOST_TAKEN_OF_HOST = 1_000;
/** At most this many that were sent may wait to be noted; with more, nothing is taken up. */
const MOST_UNNOTED = 5_000;
/** Attempts that are noted at once. */
const MOST_AT_ONCE = 2_000;
/** How often it is looked whether something is due that this process did not settle itself. */
const LOOK_MS = 200;
/** How often it is noted what became of messages. */
const NOTE_MS = 50;
/** Why a message is dropped that a restored backup brought with it. */
const HELD = 'a backup was restored, and it may have been sent before';
/** How long a stop waits for messages on their way. */
const STOP_MS = 3_000;

export interface OutboxOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly sender: Sender;
  /** Seconds to wait after each failed attempt. */
  readonly retries: readonly number[];
  /** What secrets are sealed with. */
  readonly seals: Seals;
  readonly tracing: Pick<Tracing, 'span'>;
  readonly log: Log;
  readonly now: () => number;
  /** Called for every attempt, for metrics. */
  readonly observe: (attempt: { host: string; outcome: string; seconds: number }) => void;
}

export interface Outbox {
  /** Something was settled. */
  readonly wake: () => void;
  /** Ends what is on its way, and notes it. */
  stop(): Promise<void>;
}

export function startOutbox(options: OutboxOptions): Outbox {
  const sending = new Sending(options);
  const looking = runPeriodically('Taking up messages', LOOK_MS, options.log, () => sending.takeUp());
  const noting = runPeriodically('Noting what became of messages', NOTE_MS, options.log, () => sending.note());
  sending.onNoted = looking.runSoon;
  return {
    wake: looking.runSoon,
    async stop() {
      await looking.stop();
      await sending.end(STOP_MS);
      await noting.stop();
      await sending.note().catch((error: Error) => {
        options.log.warn(`What became of messages is not noted, and they are sent again: ${error.message}`);
      });
      await options.sender.close();
    },
  };
}

/** What is taken up of one host. */
interface Line {
  onTheirWay: number;
  /** Begin to send what waits for room. */
  readonly waiting: (() => void)[];
}

class Sending {
  /** Told when what became of messages is noted: there is room, and what waited behind them may go. */
  onNoted: () => void = () => undefined;
  private readonly lines = new Map<string, Line>();
  private readonly running = new Set<Promise<void>>();
  private readonly breaker: Breaker;
  /** Hosts that answered last. */
  private readonly answering = new Set<string>();
  private isEnding = false;
  /** Attempts that are over, and those of them that are in the log. */
  private over: Attempt[] = [];
  private logged: Attempt[] = [];

  constructor(private readonly options: OutboxOptions) {
    this.breaker = new Breaker(options.now);
  }

  /** Takes up what there is room for, and begins to send it. Resolves with whether there is more to take up. */
  async takeUp(): Promise<boolean> {
    const { postgres, clickhouse, now } = this.options;
    const places = this.countPlaces(await queries.readHosts(postgres));
    if (places.size === 0) return false;
    const at = now();
    const looked = await queries.takeUp(postgres, places, TAKEN_SECONDS);
    const taken = looked.filter((message) => message.is_taken);
    if (taken.length > 0) {
      const macros = await queries.readMacros(clickhouse, taken);
      for (const message of taken) this.start(message, macros.get(queries.macrosKey(message)), at);
    }
    return looked.length > taken.length;
  }

  /** Writes what became of messages to the log, and then to PostgreSQL. */
  async note(): Promise<void> {
    const { postgres, clickhouse } = this.options;
    const attempts = this.over.slice(0, MOST_AT_ONCE);
    if (attempts.length > 0) {
      await logAttempts(clickhouse, attempts);
      this.over = this.over.slice(attempts.length);
      this.logged.push(...attempts);
    }
    if (this.logged.length === 0) return;
    const later = this.logged.filter(({ outcome }) => outcome === 'retry');
    const done = this.logged.filter(({ outcome }) => outcome !== 'retry');
    const listIds = (some: readonly Attempt[]) => some.map(({ message }) => message.postback_id);
    if (later.length > 0)
      await queries.putOff(
        postgres,
        listIds(later),
        later.map(({ nextAt }) => nextAt),
      );
    if (done.length > 0) await queries.finish(postgres, listIds(done));
    this.logged = [];
    this.onNoted();
  }

  /** Waits for what is on its way, at most for so long; what waits for room is left to who takes it up next. */
  async end(ms: number): Promise<void> {
    this.isEnding = true;
    const timer = new Promise((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([Promise.all(this.running), timer]);
  }

  /** How many messages of each host there is room for: more than can be on their way where it answers. */
  private countPlaces(hosts: readonly string[]): Map<string, number> {
    const taken = [...this.lines.values()].reduce((sum, line) => sum + countTaken(line), 0);
    let free = Math.min(MOST_TAKEN - taken, MOST_UNNOTED - this.over.length - this.logged.length);
    const places = new Map<string, number>();
    for (const host of hosts) {
      const most = this.answering.has(host) ? MOST_TAKEN_OF_HOST : AT_ONCE_TO_HOST;
      const line = this.lines.get(host);
      const room = this.breaker.countPlaces(host, most) - (line ? countTaken(line) : 0);
      const own = Math.min(room, free);
      if (own > 0) places.set(host, own);
      free -= Math.max(0, own);
    }
    return places;
  }

  /** Sends a message now, or once there is room for it. */
  private start(message: Message, about: EventMacros | undefined, takenUpAt: number): void {
    const { host } = message;
    const line = this.lines.get(host) ?? { onTheirWay: 0, waiting: [] };
    this.lines.set(host, line);
    const begin = () => {
      line.onTheirWay += 1;
      const { tracing } = this.options;
      const attempt = tracing.span('deliver message', { 'server.address': host }, async (span) => {
        const attempted = await this.attempt(message, about, takenUpAt);
        span.set({ 'adtrail.outcome': attempted?.outcome ?? 'left' });
        return attempted;
      });
      const run = attempt.then((attempt) => {
        if (attempt) this.over.push(attempt);
        this.running.delete(run);
        line.onTheirWay -= 1;
        if (!this.isEnding) line.waiting.shift()?.();
        if (countTaken(line) === 0) this.lines.delete(host);
      });
      this.running.add(run);
    };
    if (line.onTheirWay < AT_ONCE_TO_HOST) begin();
    else line.waiting.push(begin);
  }

  /** One attempt, from the letter to the verdict; never fails. */
  private async attempt(
    message: Message,
    about: EventMacros | undefined,
    takenUpAt: number,
  ): Promise<Attempt | undefined> {
    const { now, retries, seals, sender } = this.options;
    const at = now();
    // Another one may take it up before it would be sent.
    if (at - takenUpAt > LATEST_START_MS) return undefined;
    const nothing = { message, about, letter: undefined, answer: undefined, at, nextAt: undefined };
    // A replica may not have it yet: it is looked for again.
    if (!about && !message.is_old) return undefined;
    if (!about) return { ...nothing, outcome: 'dropped', error: 'its person was forgotten' };
    if (message.is_held) return { ...nothing, outcome: 'dropped', error: HELD };
    if (!message.is_on) return { ...nothing, outcome: 'dropped', error: 'its destination is not in use any more' };
    const letter = tryMakeLetter(message, about, seals, at);
    if (letter instanceof SealError) {
      // The key may come back: it is tried again as if nobody had answered.
      const error = `a secret cannot be read: ${letter.message}`;
      const failed = judge({ status: 0, error, latencyMs: 0 }, message.attempts + 1, retries, at, Math.random());
      if (failed.outcome === 'sent') return undefined;
      const nextAt = failed.outcome === 'retry' ? failed.at : undefined;
      return { ...nothing, outcome: failed.outcome, error: failed.error, nextAt };
    }
    if (letter instanceof Error) return { ...nothing, outcome: 'dead', error: letter.message };
    const answer = await sender.send(letter);
    const verdict = judge(answer, message.attempts + 1, retries, now(), Math.random());
    const isDown = isReceiverDown(answer);
    this.breaker.note(message.host, isDown);
    if (isDown) this.answering.delete(message.host);
    else this.answering.add(message.host);
    const { outcome } = verdict;
    this.options.observe({ host: message.host, outcome, seconds: answer.latencyMs / 1000 });
    if (verdict.outcome === 'dead' && verdict.isGone) await this.switchOff(message);
    return {
      message,
      about,
      letter,
      answer,
      at,
      outcome,
      error: verdict.outcome === 'sent' ? '' : verdict.error,
      nextAt: verdict.outcome === 'retry' ? verdict.at : undefined,
    };
  }

  /** Its receiver said that it is gone for good. What waits for it is dropped when it is taken up. */
  private async switchOff({ host, template_id: template, webhook_id: webhook }: Message): Promise<void> {
    const { postgres, log } = this.options;
    try {
      const [off] = await changeAs(postgres, SERVICE, (db) =>
        webhook === null ? queries.switchOffTemplate(db, template) : queries.switchOffWebhook(db, webhook),
      );
      if (off) log.warn(`${host} answered 410: the ${webhook === null ? 'postback' : 'webhook'} is switched off`);
    } catch (error) {
      log.warn(`${host} answered 410, but it could not be switched off: ${(error as Error).message}`);
    }
  }
}

/** A destination that was changed by hand may be none. */
function tryMakeLetter(...of: Parameters<typeof makeLetter>): MadeLetter | Error {
  try {
    return makeLetter(...of);
  } catch (error) {
    if (error instanceof SealError) return error;
    return new Error(`It cannot be made: ${(error as Error).message}`);
  }
}

const countTaken = ({ onTheirWay, waiting }: Line) => onTheirWay + waiting.length;
