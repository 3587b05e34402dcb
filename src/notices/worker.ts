/**
 * Sends messages of alerts and schedules. Any number of processes do at once: each takes messages up for a while, sends
 * them, and notes what came of it. A process that dies leaves its messages taken up; after that while another sends
 * them, under the same ID. So a message is sent at least once, and recognised when it is sent again.
 */
import type { Postgres, Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import type { Log } from '../lib/log';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';
import type { Content } from './content';
import { deliver, type DeliveryParts, type Outcome } from './delivery';
import type { Owner } from './receivers';

/** How often it is looked whether something is due. */
const LOOK_MS = 1_000;
/** Messages that are on their way at once. */
const AT_ONCE = 20;
/** How long a message is taken up: longer than a report is made and a receiver may take. */
const TAKEN_SECONDS = 300;
/** How long the ledger is kept. */
const KEPT_DAYS = 90;
const FORGET_MS = 3_600_000;

export interface NoticeRow extends Row {
  id: number;
  message_id: string;
  event_id: number | null;
  run_id: number | null;
  attempts: number;
  /** Null where its receiver is gone. */
  kind: 'email' | 'webhook' | 'slack' | null;
  address: string | null;
  url: string | null;
  secret: string | null;
  alert_id: number | null;
  schedule_id: number | null;
  is_refused: boolean;
}

const queries = {
  takeUp: postgresQuery<NoticeRow>('notices.take-up'),
  note: postgresQuery('notices.note'),
  forget: postgresQuery('notices.forget-old'),
};

export interface NoticeParts extends DeliveryParts {
  readonly postgres: Postgres;
  readonly log: Log;
  /** What a message says; undefined where what it is about is gone. */
  readonly compose: (notice: Pick<NoticeRow, 'event_id' | 'run_id' | 'attempts'>) => Promise<Content | undefined>;
  /** Called for every attempt, for metrics. */
  readonly observe: (kind: string, outcome: string) => void;
}

export function startNotices(parts: NoticeParts): PeriodicTask {
  const { postgres, log } = parts;
  const sending = runPeriodically('Sending alerts and reports', LOOK_MS, log, async () => {
    const taken = await queries.takeUp(postgres, AT_ONCE, TAKEN_SECONDS, parts.mail !== undefined);
    await Promise.all(taken.map((notice) => send(parts, notice)));
    return taken.length === AT_ONCE;
  });
  const forgetting = runPeriodically('Forgetting old alerts and reports', FORGET_MS, log, async () => {
    await queries.forget(postgres, KEPT_DAYS);
  });
  return {
    runSoon: sending.runSoon,
    async stop() {
      await Promise.all([sending.stop(), forgetting.stop()]);
    },
  };
}

/** One message of its own: what fails for it does not hold up another. */
async function send(parts: NoticeParts, notice: NoticeRow): Promise<void> {
  const { postgres, log, observe } = parts;
  try {
    const { state, error, at } = await attempt(parts, notice);
    observe(notice.kind ?? 'none', state);
    await queries.note(postgres, notice.id, notice.attempts, state, error, at);
  } catch (error) {
    // It is taken up again once its time is over.
    log.warn(`A message of an alert or a report was not noted, and is sent again: ${(error as Error).message}`);
  }
}

interface Noted {
  readonly state: 'sent' | 'failed' | 'dropped' | 'waiting';
  readonly error: string;
  readonly at: Date | null;
}
const dropped = (error: string): Noted => ({ state: 'dropped', error, at: null });

async function attempt(parts: NoticeParts, notice: NoticeRow): Promise<Noted> {
  const { kind, alert_id: alertId, schedule_id: scheduleId, retries, is_refused: isRefused } = { ...parts, ...notice };
  if (kind === null) return dropped('its receiver is gone');
  if (isRefused) return dropped('its address has unsubscribed');
  // A process that dies at each attempt must not do so for ever.
  if (notice.attempts > retries.length + 1) return { state: 'failed', error: 'given up', at: null };
  const owner: Owner = alertId === null ? { scheduleId: scheduleId as number } : { alertId };
  const content = await compose(parts, notice);
  if ('state' in content) return toNoted(content);
  if (!content.content) return dropped('what it is about is gone');
  const { message_id: messageId, attempts, address, url, secret } = notice;
  const target = { kind, address, url, secret, owner, messageId, attempt: attempts };
  return toNoted(await deliver(parts, target, content.content));
}

/** What cannot be made now, while an engine is away, is made later. */
async function compose(parts: NoticeParts, notice: NoticeRow): Promise<{ content: Content | undefined } | Outcome> {
  try {
    return { content: await parts.compose(notice) };
  } catch (error) {
    parts.log.warn(`What a message says could not be made: ${(error as Error).message}`);
    const answer = { status: 0, error: 'its figures could not be computed', latencyMs: 0 };
    const verdict = parts.judge(answer, notice.attempts, parts.retries, parts.now(), Math.random());
    if (verdict.outcome === 'retry') return { state: 'retry', at: verdict.at, error: verdict.error };
    return { state: 'failed', error: answer.error };
  }
}

function toNoted(outcome: Outcome): Noted {
  if (outcome.state === 'sent') return { state: 'sent', error: '', at: null };
  if (outcome.state === 'failed') return { state: 'failed', error: outcome.error, at: null };
  return { state: 'waiting', error: outcome.error, at: new Date(outcome.at) };
}
