/** One attempt to hand a message to one receiver; it never fails for what a receiver does. */
import { SealError, type Seals } from '../lib/seal';
import { writeMail, writeSlack, writeWebhook, type Content, type HttpLetter, type MailMessage } from './content';
import type { Owner } from './receivers';
import { buildUnsubscribeUrl } from './unsubscribing';

/** What came of an attempt. */
export type Outcome =
  | { readonly state: 'sent' }
  /** Not in this process's time, milliseconds: tried again. */
  | { readonly state: 'retry'; readonly at: number; readonly error: string }
  | { readonly state: 'failed'; readonly error: string };

/** As `deliveries` judges answers and sends requests: the composition root hands it on. */
interface HttpAnswer {
  readonly status: number;
  readonly error: string;
  readonly retryAfter?: string;
  readonly latencyMs: number;
}
type HttpVerdict =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'retry'; readonly at: number; readonly error: string }
  | { readonly outcome: 'dead'; readonly error: string };

export interface DeliveryParts {
  /** Undefined where no SMTP server is configured. */
  readonly mail: { readonly sendWhole: (mail: MailMessage) => Promise<void> } | undefined;
  readonly publicUrl: string | undefined;
  readonly sender: { readonly send: (letter: HttpLetter) => Promise<HttpAnswer> };
  readonly judge: (
    answer: HttpAnswer,
    attempt: number,
    retries: readonly number[],
    now: number,
    random: number,
  ) => HttpVerdict;
  /** Seconds to wait after each failed attempt. */
  readonly retries: readonly number[];
  readonly seals: Seals;
  readonly now: () => number;
}

export interface Target {
  readonly kind: 'email' | 'webhook' | 'slack';
  readonly address: string | null;
  readonly url: string | null;
  readonly secret: string | null;
  readonly owner: Owner;
  readonly messageId: string;
  /** From 1. */
  readonly attempt: number;
}

const NO_MAIL = 'no SMTP server is configured';

export async function deliver(parts: DeliveryParts, target: Target, content: Content): Promise<Outcome> {
  if (target.kind === 'email') return mailIt(parts, target, content);
  try {
    const letter = openLetter(parts, target, content);
    const answer = await parts.sender.send(letter);
    return judgeAnswer(parts, target, answer);
  } catch (error) {
    // The key may come back: it is tried again as if nobody had answered.
    if (!(error instanceof SealError)) throw error;
    return judgeAnswer(parts, target, { status: 0, error: 'its URL cannot be read', latencyMs: 0 });
  }
}

function openLetter({ seals, now }: DeliveryParts, { kind, url, secret, messageId }: Target, content: Content) {
  const { open } = seals.of('receivers');
  if (kind === 'slack') return writeSlack(content, open(url ?? ''));
  return writeWebhook(content, open(url ?? ''), open(secret ?? ''), messageId, now());
}

function judgeAnswer({ judge, retries, now }: DeliveryParts, { attempt }: Target, answer: HttpAnswer): Outcome {
  const verdict = judge(answer, attempt, retries, now(), Math.random());
  if (verdict.outcome === 'sent') return { state: 'sent' };
  if (verdict.outcome === 'retry') return { state: 'retry', at: verdict.at, error: verdict.error };
  return { state: 'failed', error: verdict.error };
}

async function mailIt(parts: DeliveryParts, target: Target, content: Content): Promise<Outcome> {
  const { mail, publicUrl, seals } = parts;
  const { owner, address, messageId } = target;
  if (!mail || publicUrl === undefined || address === null) return { state: 'failed', error: NO_MAIL };
  const unsubscribeUrl = buildUnsubscribeUrl(publicUrl, seals, { owner, address });
  try {
    await mail.sendWhole(writeMail(content, address, { messageId, host: new URL(publicUrl).hostname, unsubscribeUrl }));
    return { state: 'sent' };
  } catch (error) {
    const code = (error as { responseCode?: number }).responseCode ?? 0;
    // 5yz is for good (RFC 5321, 4.2.1); what the server says may name its insides, so only the code is told.
    if (code >= 500) return { state: 'failed', error: `the SMTP server answered ${code}` };
    const told = code > 0 ? `the SMTP server answered ${code}` : 'the SMTP server cannot be reached';
    return judgeAnswer(parts, target, { status: 0, error: told, latencyMs: 0 });
  }
}
