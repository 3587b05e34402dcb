/** The queries behind sending, one function per file of sql/queries and clickhouse/queries. */
import { TupleParam } from '@clickhouse/client';
import type { ClickHouse, Limits } from '../db/clickhouse';
import type { Queryable } from '../db/postgres';
import { readQuery, readStepwiseQuery } from '../db/sql';

const LIMITS: Limits = { max_threads: 1, max_memory_usage: '1000000000', max_execution_time: 20 };

const sql = <T extends Record<string, unknown>>(name: string) => {
  const text = readQuery('sql', name);
  return (db: Queryable, ...values: unknown[]) => db.rows<T>(text, values);
};

/** A message that is taken up, with its destination as it is now. */
export interface Message extends Record<string, unknown> {
  readonly postback_id: string;
  /** Of a postback its template, else null; of a webhook the webhook. */
  readonly template_id: number | null;
  readonly webhook_id: number | null;
  readonly withhold: readonly ('amounts' | 'device_ids')[];
  readonly project_id: number;
  readonly partner_id: number;
  readonly event: string;
  readonly run_id: number;
  readonly subject: string;
  readonly host: string;
  readonly is_replay: boolean;
  readonly attempts: number;
  /** False where it waits for another one of its lane. */
  readonly is_taken: boolean;
  readonly method: 'GET' | 'POST' | null;
  /** Null where the destination is gone. */
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: unknown;
  /** Whether its destination is in use. */
  readonly is_on: boolean;
  /** Of a webhook, the newest first. */
  readonly secrets: readonly string[] | null;
}

const hosts = sql<{ host: string }>('outbox.hosts');
/** The hosts that messages wait for. */
export const readHosts = async (db: Queryable) => (await hosts(db)).map(({ host }) => host);

const takeUpOf = sql<Message>('outbox.take-up');
/** Takes up what is due, of each host as many messages as are given, for so many seconds. */
export const takeUp = (db: Queryable, places: ReadonlyMap<string, number>, seconds: number) =>
  takeUpOf(db, [...places.keys()], [...places.values()], seconds);

/** Messages that are done, by their IDs. */
export const finish = sql('outbox.finish');
/** Messages that are tried again: their IDs, and when, in milliseconds. */
export const putOff = sql('outbox.put-off');
export const switchOffTemplate = sql<{ id: number }>('outbox.switch-off-template');
export const switchOffWebhook = sql<{ id: number }>('outbox.switch-off-webhook');
/** How much waits for each host, and for how many seconds the oldest of it has. */
export const readPending = sql<{ host: string; pending: number; oldest: number }>('outbox.pending');

/** What a message may say of its event. */
export interface EventMacros extends Record<string, unknown> {
  readonly run_id: number;
  readonly subject: string;
  readonly install_id: string;
  /** Milliseconds. */
  readonly event_time: number;
  /** By their names; none is empty. */
  readonly macros: Readonly<Record<string, string>>;
}

const macros = readQuery('clickhouse', 'outbox.macros');
/** What messages may say, by run and subject: nothing of an event whose person was forgotten. */
export async function readMacros(
  db: ClickHouse,
  messages: readonly Pick<Message, 'run_id' | 'subject'>[],
): Promise<Map<string, EventMacros>> {
  const subjects = messages.map(({ run_id: run, subject }) => ({ run, subject }));
  const rows = await db.rows<EventMacros>(
    macros,
    {
      runs: [...new Set(subjects.map(({ run }) => run))],
      subjects: subjects.map(({ run, subject }) => new TupleParam([run, subject])),
    },
    LIMITS,
  );
  return new Map(rows.map((row) => [macrosKey(row), row]));
}

/** By what the macros of a message are found. */
export const macrosKey = ({ run_id: run, subject }: { readonly run_id: number; readonly subject: string }) =>
  `${run} ${subject}`;

/** Which events are told of once more; empty lists stand for all. */
export interface Selection {
  readonly project: number;
  /** Received from then on, and before that, in milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly installs: readonly string[];
  readonly events: readonly string[];
  readonly postbackIds: readonly string[];
  /** Only where a message about it has ended so, as `outcome` of the log says. */
  readonly outcomes: readonly string[];
}

/** Whom they are told to; undefined for everybody. */
export interface Recipients {
  readonly partner: number | undefined;
  readonly webhook: number | undefined;
  readonly postbackIds: readonly string[];
}

const eventsToReplay = readQuery('clickhouse', 'outbox.events-to-replay');
/** Events of a selection, `limit` of them after the first `after`. */
export const readEventsToReplay = (db: ClickHouse, { postbackIds, ...of }: Selection, after: number, limit: number) =>
  db.rows(eventsToReplay, { ...of, postback_ids: postbackIds, after, limit }, LIMITS);

const chosen = { messages: 'outbox.step-messages', chosen: 'outbox.step-chosen' };
const countText = readStepwiseQuery('sql', 'outbox.count-chosen', chosen);
const replayText = readStepwiseQuery('sql', 'outbox.replay', { ...chosen, replayed: 'outbox.step-replayed' });

/** Sends what is told of events once more, or with `dryRun` only counts it; resolves with the number of messages. */
export async function replay(
  db: Queryable,
  events: readonly unknown[],
  { partner, webhook, postbackIds }: Recipients,
  dryRun: boolean,
): Promise<number> {
  const ids = postbackIds.length > 0 ? postbackIds : null;
  const values = [JSON.stringify(events), true, partner ?? null, webhook ?? null, ids];
  return (await db.rows<{ messages: number }>(dryRun ? countText : replayText, values))[0]?.messages ?? 0;
}
