/** The queries behind sending, one function per statement of sql/queries and clickhouse/queries. */
import { TupleParam } from '@clickhouse/client';
import type { ClickHouse, Limits } from '../db/clickhouse';
import type { Queryable } from '../db/postgres';
import { postgresQuery, readQuery } from '../db/sql';
import type { Reads } from '../reporting/bounded-reads';

const LIMITS: Limits = { max_threads: 1, max_memory_usage: '1000000000', max_execution_time: 20 };

/** A message that is taken up, with its destination as it is now. */
export interface Message extends Record<string, unknown> {
  readonly postback_id: string;
  /** A postback has a template, and a message to a webhook has the webhook; the other one is null. */
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
  /** It is about an event that came with a backup, and may have been sent already. */
  readonly is_held: boolean;
  /** Settled so long ago that what it says is in ClickHouse, if its person was not forgotten. */
  readonly is_old: boolean;
  readonly attempts: number;
  /** False where it waits for another one of its lane. */
  readonly is_taken: boolean;
  readonly method: 'GET' | 'POST' | null;
  /** Null where the destination is gone. */
  readonly url: string | null;
  /** Sealed, or as they are where they are tried out. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: unknown;
  /** Whether its destination is in use. */
  readonly is_on: boolean;
  /** The secrets of a webhook, sealed, the newest first. */
  readonly secrets: readonly string[] | null;
  /** The secrets of whoever has the template, sealed, by name; null for none. */
  readonly template_secrets: Readonly<Record<string, string>> | null;
  /** Whether the template is that of the partner, and not of the project. */
  readonly is_partners: boolean;
}

const hosts = postgresQuery<{ host: string }>('outbox.hosts');
/** The hosts that messages wait for. */
export const readHosts = async (db: Queryable) => (await hosts(db)).map(({ host }) => host);

const takeUpOnHost = postgresQuery<Message>('outbox.take-up');
/** Takes up, for `seconds` seconds, what is due: for each host as many messages as `places` says. */
export const takeUp = (db: Queryable, places: ReadonlyMap<string, number>, seconds: number) =>
  takeUpOnHost(db, [...places.keys()], [...places.values()], seconds);

/** Messages that are done, by their IDs. */
export const finish = postgresQuery('outbox.finish');
/** Messages that are tried again: their IDs, and when, in milliseconds. */
export const putOff = postgresQuery('outbox.put-off');
export const switchOffTemplate = postgresQuery<{ id: number }>('outbox.switch-off-template');
export const switchOffWebhook = postgresQuery<{ id: number }>('outbox.switch-off-webhook');
/** How much waits for each host, and for how many seconds the oldest of it has. */
export const readPending = postgresQuery<{ host: string; pending: number; oldest: number }>('outbox.pending');

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

/** What waits for one host, and for how many seconds the oldest of it has. */
export interface PendingRow extends Record<string, unknown> {
  readonly host: string;
  readonly pending: number;
  readonly oldest: number;
}
/** What waits of a project, or for a partner, by host: the oldest messages, as many as asked for at most. */
export const readPendingOfProject = postgresQuery<PendingRow>('outbox.pending-of-project');
export const readPendingOfPartner = postgresQuery<PendingRow>('outbox.pending-of-partner');

interface NamedRow extends Record<string, unknown> {
  readonly id: number;
  readonly name: string;
}
const projects = postgresQuery<NamedRow>('outbox.projects');
const partners = postgresQuery<NamedRow>('outbox.partners');
const namesById = (rows: readonly NamedRow[]) => new Map(rows.map(({ id, name }) => [id, name]));
/** Names by ID. */
export const readProjectNames = async (db: Queryable, ids: readonly number[]) => namesById(await projects(db, ids));
export const readPartnerNames = async (db: Queryable, ids: readonly number[]) => namesById(await partners(db, ids));

const campaignsByCode = postgresQuery<{ id: number }>('outbox.campaigns-by-code');
/** The campaigns that a display ID names: one of a project, or of each account that works with a partner. */
export const readCampaignIds = async (db: Queryable, code: string, project: number, partner: number) =>
  (await campaignsByCode(db, code, project || null, partner || null)).map(({ id }) => id);

const webhook = postgresQuery<{ url: string; secrets: string[] }>('outbox.webhook');
/** Where a webhook of a project is sent, and with which secrets; undefined where there is none. */
export const readWebhook = async (db: Queryable, project: number, id: number) => (await webhook(db, project, id))[0];

const templateSecrets = postgresQuery<{ secrets: Readonly<Record<string, string>> | null }>('outbox.template-secrets');
/** What the secrets of a partner, or of a project, are, sealed, by name; null for none. */
export const readTemplateSecrets = async (db: Queryable, partner: number | null, project: number | null) =>
  (await templateSecrets(db, partner, project))[0]?.secrets ?? null;

/** Which attempts a page of the log shows; 0 and empty texts and lists stand for all. */
export interface LogSelection extends Record<string, unknown> {
  readonly project: number;
  readonly partner: number;
  readonly webhook: number;
  readonly install_id: string;
  readonly tid: string;
  readonly postback_ids: readonly string[];
  readonly campaigns: readonly number[];
  readonly host: string;
  readonly kind: string;
  readonly event: string;
  readonly outcome: string;
  /** Begun from then on, and before that, in milliseconds. */
  readonly since: number;
  readonly until: number;
  /** The place after which the page begins. */
  readonly before_time: number;
  readonly before_id: string;
  readonly before_attempt: number;
  readonly limit: number;
}
export interface AttemptRow extends Record<string, unknown> {
  readonly attempted_ms: number;
  readonly attempted_at: string;
  readonly postback_id: string;
  readonly attempt: number;
  readonly kind: 'postback' | 'webhook';
  readonly destination_id: number;
  readonly project_id: number;
  /** 0 for none. */
  readonly partner_id: number;
  readonly event: string;
  readonly install_id: string;
  readonly event_id: string;
  readonly tid: string;
  readonly host: string;
  readonly method: string;
  readonly url: string;
  readonly body: string;
  /** The same, where the template is that of the partner. */
  readonly partner_url: string;
  readonly partner_body: string;
  readonly macros: readonly string[];
  readonly outcome: 'sent' | 'retry' | 'dead' | 'dropped' | 'test';
  readonly status: number;
  readonly latency_ms: number;
  readonly error: string;
  readonly next_attempt_at: string | null;
  readonly is_replay: number;
}
const logText = readQuery('clickhouse', 'outbox.log');
export const readLog = (db: Reads, selection: LogSelection) => db.rows<AttemptRow>(logText, selection);

const latestEvent = readQuery('clickhouse', 'outbox.latest-event');
/** The event that was settled last; of an install, and told as `event`, alone, where these are not empty. */
export const readLatestEvent = async (db: Reads, project: number, install: string, event: string) =>
  (await db.rows<EventMacros & { readonly event: string }>(latestEvent, { project, install, event }))[0];

/** The events about which messages are sent once more; empty lists stand for all. */
export interface Selection {
  readonly project: number;
  /** Received from then on, and before that, in milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly installs: readonly string[];
  /** What they are told as. */
  readonly events: readonly string[];
  readonly postbackIds: readonly string[];
  /** Only messages that have ended so, as `outcome` of the log says. */
  readonly outcomes: readonly string[];
}

/** The place of an event in the order in which they are told. */
export interface EventPlace {
  /** 0 for an install, 1 for what follows it. */
  readonly kind: number;
  /** Milliseconds. */
  readonly time: number;
  readonly subject: string;
}

export interface EventToReplay extends Record<string, unknown> {
  readonly subject: string;
  readonly type: string;
  readonly event_ms: number;
  /** Where the log chooses, the messages that it has chosen; else none. */
  readonly postback_ids: readonly string[];
}

const eventsToReplay = readQuery('clickhouse', 'outbox.events-to-replay');
/** Events of a selection in their order, `limit` of them after a place. */
export const readEventsToReplay = (db: Reads, selection: Selection, after: EventPlace, limit: number) => {
  const { postbackIds, ...of } = selection;
  const place = { after_kind: after.kind, after_time: after.time, after_subject: after.subject };
  return db.rows<EventToReplay>(eventsToReplay, {
    ...of,
    ...place,
    postback_ids: postbackIds,
    by_log: choosesByLog(selection),
    limit,
  });
};

/** Whether messages are chosen by what the log knows of them. */
export const choosesByLog = ({ postbackIds, outcomes }: Selection) => postbackIds.length > 0 || outcomes.length > 0;

/** Which messages about the events are sent: undefined and null for all. */
export interface Recipients {
  readonly partner: number | undefined;
  readonly webhook: number | undefined;
  readonly postbackIds: readonly string[] | null;
  readonly events: readonly string[] | null;
}

const chosen = { messages: 'outbox.step-messages', chosen: 'outbox.step-chosen' };
const countText = readQuery('sql', 'outbox.count-chosen', chosen);
const replayText = readQuery('sql', 'outbox.replay', { ...chosen, replayed: 'outbox.step-replayed' });

/** Sends messages about events once more, or with `dryRun` only counts them; resolves with their number. */
export async function replay(
  db: Queryable,
  events: readonly unknown[],
  { partner, webhook, postbackIds, events: toldAs }: Recipients,
  dryRun: boolean,
): Promise<number> {
  const values = [JSON.stringify(events), true, partner ?? null, webhook ?? null, postbackIds, toldAs];
  return (await db.rows<{ messages: number }>(dryRun ? countText : replayText, values))[0]?.messages ?? 0;
}
