/**
 * The log of attempts, adtrail.postbacks: what was sent where, and what came of it, without secrets. What a template of
 * a partner has made is in separate columns: projects do not see it.
 */
import type { ClickHouse } from '../db/clickhouse';
import type { EventMacros, Message } from './queries';
import { BLANK } from '../configuration/postbacks/render';
import type { MadeLetter } from './letters';
import type { Answer } from './sender';
import { parseUrl } from '../lib/parse-url';
import { rowEncoder } from '../ingest/row-encoder';

const TABLE = 'adtrail.postbacks';
/** How long a body may be in the log. */
const BODY_LENGTH = 4_096;
/** Names of parameters and fields whose values are not for the log. */
const SECRET = /token|key|secret|sign|sig$|auth|pass/i;

/** Whether what goes by a name is not to be shown. */
export const isSecretName = (name: string) => SECRET.test(name);

/** What the log says of a message. */
type LoggedMessage = Pick<
  Message,
  | 'project_id'
  | 'postback_id'
  | 'attempts'
  | 'webhook_id'
  | 'template_id'
  | 'partner_id'
  | 'event'
  | 'host'
  | 'is_replay'
  | 'is_partners'
  | 'run_id'
  | 'subject'
>;

export interface Attempt {
  readonly message: LoggedMessage;
  /** Undefined where the person of the event was forgotten. */
  readonly about: EventMacros | undefined;
  /** Undefined where nothing was sent. */
  readonly letter: MadeLetter | undefined;
  readonly answer: Answer | undefined;
  readonly outcome: 'sent' | 'retry' | 'dead' | 'dropped' | 'test';
  readonly error: string;
  /** When it began, in milliseconds. */
  readonly at: number;
  /** When it is tried again, in milliseconds. */
  readonly nextAt: number | undefined;
}

const { columns, encode } = rowEncoder([
  'project_id',
  'attempted_at',
  'postback_id',
  'attempt',
  'kind',
  'destination_id',
  'partner_id',
  'event',
  'install_id',
  'event_id',
  'tid',
  'host',
  'method',
  'url',
  'body',
  'macros',
  'partner_url',
  'partner_body',
  'outcome',
  'status',
  'latency_ms',
  'error',
  'next_attempt_at',
  'is_replay',
  'run_id',
  'subject',
]);

/** Resolves once the attempts are stored. */
export async function logAttempts(clickhouse: Pick<ClickHouse, 'insert'>, attempts: readonly Attempt[]): Promise<void> {
  await clickhouse.insert(TABLE, columns, attempts.map(encodeAttempt));
}

function encodeAttempt({ message, about, letter, answer, outcome, error, at, nextAt }: Attempt): string {
  const url = letter ? blankedUrl(letter.shown.url) : '';
  // Cut between the halves of a character, it would be no text.
  const body = blankedBody(letter?.shown.body ?? '')
    .slice(0, BODY_LENGTH)
    .toWellFormed();
  const isPartners = message.is_partners;
  return encode({
    project_id: message.project_id,
    attempted_at: at,
    postback_id: message.postback_id,
    attempt: message.attempts + 1,
    kind: message.webhook_id === null ? 'postback' : 'webhook',
    destination_id: message.webhook_id ?? message.template_id ?? 0,
    partner_id: message.partner_id,
    event: message.event,
    install_id: about?.install_id ?? '',
    event_id: about?.macros.event_id ?? '',
    tid: about?.macros.tid ?? '',
    host: message.host,
    method: letter?.method ?? '',
    url: isPartners ? '' : url,
    body: isPartners ? '' : body,
    macros: letter?.macros ?? [],
    partner_url: isPartners ? url : '',
    partner_body: isPartners ? body : '',
    outcome,
    status: answer?.status ?? 0,
    latency_ms: answer?.latencyMs ?? 0,
    error,
    next_attempt_at: nextAt ?? null,
    is_replay: message.is_replay ? 1 : 0,
    run_id: message.run_id,
    subject: message.subject,
  });
}

/** A URL without the values of parameters that look secret; nothing of a text that is none. */
export function blankedUrl(text: string): string {
  const url = parseUrl(text);
  if (!url) return '';
  for (const name of [...url.searchParams.keys()]) if (isSecretName(name)) url.searchParams.set(name, BLANK);
  return url.toString();
}

/** The same of a body, which is JSON, a form or empty. */
export function blankedBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (name, value: unknown) => (isSecretName(name) ? BLANK : value)));
  } catch {
    const form = new URLSearchParams(text);
    const secret = [...form.keys()].filter(isSecretName);
    if (secret.length === 0) return text;
    for (const name of secret) form.set(name, BLANK);
    return form.toString();
  }
}
