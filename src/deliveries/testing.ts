/** Sends one message to see whether its destination takes it (docs/contract/postbacks.md). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_VALUES } from '../configuration/postbacks/macros';
import { BLANK } from '../configuration/postbacks/render';
import { validateTemplate, type PostbackTemplate } from '../configuration/postbacks/template';
import type { ClickHouse } from '../db/clickhouse';
import { ApiError } from '../errors';
import { SealError, type Seals } from '../lib/seal';
import { isSecretName, logAttempts } from './attempts';
import { makeLetter, type LetterParts, type MadeLetter } from './letters';
import * as queries from './queries';
import type { EventMacros, Message } from './queries';
import { NO_PUBLIC_ADDRESS, type Letter, type Sender } from './sender';
import type { Engines, Whose } from './service';

/** By which receivers know a test. */
const HEADER = 'x-adtrail-test';
/** A name that leads to no public address is answered after so long, whether anybody knows it or not. */
const QUIET_MS = 1_500;
/** What the sample values are of. */
const SAMPLE_EVENT = 'event:purchase';
const NO_SUBJECT = '00000000-0000-0000-0000-000000000000';

export type TestInput = {
  /** The request is made and shown, and not sent. */
  readonly dryRun: boolean;
  readonly withhold: Message['withhold'];
  /** Told as that; empty for any. */
  readonly event: string;
  /** Empty for the event that was settled last. */
  readonly installId: string;
} & ({ readonly template: PostbackTemplate } | { readonly webhookId: number });

export interface TestEngines extends Engines {
  readonly sender: Pick<Sender, 'send'>;
  /** What secrets are sealed with. */
  readonly seals: Seals;
  /** The log of attempts. */
  readonly attempts: Pick<ClickHouse, 'insert'>;
}

interface Known {
  readonly event: string;
  readonly about: EventMacros;
  readonly isSample: boolean;
}

/**
 * Once, to the same addresses as any other message, and never again; the log has it as a test. A partner tests with
 * sample values: what it may know of an event, projects decide.
 *
 * @throws ApiError 404 for a webhook that the project does not have, and an install of which nothing is told.
 */
export async function testDestination(engines: TestEngines, whose: Whose, input: TestInput) {
  const destination = await findDestination(engines, whose, input);
  const { event, about, isSample } =
    'project' in whose ? await readKnown(engines, whose.project, input) : buildSample(input);
  const at = engines.now();
  const message = {
    ...destination,
    postback_id: randomUUID(),
    withhold: input.withhold,
    event,
    project_id: 'project' in whose ? whose.project : 0,
    template_id: null,
    partner_id: 'partner' in whose ? whose.partner : 0,
    run_id: about.run_id,
    subject: about.subject,
    host: new URL(destination.url).host,
    is_replay: false,
    attempts: 0,
    is_partners: 'partner' in whose,
  };
  const made = makeTestLetter(message, about, engines.seals, at);
  const mark = { [HEADER]: 'true' };
  const letter = { ...made, headers: { ...made.headers, ...mark } };
  const { shown } = made;
  const headers = blankedHeaders({ ...shown.headers, ...mark });
  const request = { method: letter.method, url: shown.url, headers, body: shown.body };
  const tested = { postback_id: message.postback_id, sample: isSample, request };
  if (input.dryRun) return { ...tested, answer: null };
  const quiet = sleep(QUIET_MS, undefined, { ref: false });
  const answer = await engines.sender.send(letter);
  if (answer.error === NO_PUBLIC_ADDRESS) await quiet;
  const error = answer.error;
  const attempt = { message, about, letter, answer, outcome: 'test' as const, error, at, nextAt: undefined };
  await logAttempts(engines.attempts, [attempt]);
  const { status, latencyMs } = answer;
  return { ...tested, answer: { status: status === 0 ? null : status, latency_ms: latencyMs, error: error || null } };
}

/** @throws ApiError 503 where a secret cannot be read. */
function makeTestLetter(...of: Parameters<typeof makeLetter>): MadeLetter {
  try {
    return makeLetter(...of);
  } catch (error) {
    if (error instanceof SealError)
      throw new ApiError(503, `A secret cannot be read: ${error.message}.`, { 'Retry-After': '60' });
    throw error;
  }
}

type Destination = Pick<LetterParts, 'webhook_id' | 'method' | 'headers' | 'body' | 'secrets' | 'template_secrets'> & {
  readonly url: string;
};

async function findDestination({ postgres }: TestEngines, whose: Whose, input: TestInput): Promise<Destination> {
  if ('template' in input) {
    const { template } = input;
    const [partner, project] = 'partner' in whose ? [whose.partner, null] : [null, whose.project];
    const secrets = await queries.readTemplateSecrets(postgres, partner, project);
    const problem = validateTemplate(template, new Set(Object.keys(secrets ?? {})));
    if (problem) throw new ApiError(400, `template.${problem.field}: ${problem.message}`);
    return { ...template, webhook_id: null, secrets: null, template_secrets: secrets };
  }
  const webhook = 'project' in whose ? await queries.readWebhook(postgres, whose.project, input.webhookId) : undefined;
  if (!webhook) throw new ApiError(404, 'Webhook not found.');
  return { webhook_id: input.webhookId, method: null, headers: null, body: null, template_secrets: null, ...webhook };
}

/** The event that the message is about; where none is known, one that never was. */
async function readKnown({ clickhouse }: TestEngines, project: number, input: TestInput): Promise<Known> {
  const found = await queries.readLatestEvent(clickhouse, project, input.installId, input.event);
  if (found) return { event: found.event, about: found, isSample: false };
  if (input.installId !== '') throw new ApiError(404, 'Install not found.');
  return buildSample(input);
}

function buildSample(input: TestInput): Known {
  const { install_id, event_time } = SAMPLE_VALUES;
  const about = { run_id: 0, subject: NO_SUBJECT, install_id, event_time: Date.parse(event_time) };
  return { event: input.event || SAMPLE_EVENT, about: { ...about, macros: SAMPLE_VALUES }, isSample: true };
}

const blankedHeaders = (headers: Letter['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? BLANK : value]));
