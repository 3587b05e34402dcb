/** What a message of an alert or a schedule says, and the form that each kind of receiver takes it in (pure). */
import { Webhook } from 'standardwebhooks';
import { escapeHtml } from '../lib/html';

const USER_AGENT = 'adtrail-alerts';
/** Slack cuts longer texts. */
const SLACK_LENGTH = 3_000;

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** By which the HTML shows it; none of what is only attached. */
  readonly cid?: string;
}

export interface Content {
  readonly subject: string;
  readonly text: string;
  /** The body of an HTML mail, without the frame; none where the text is all. */
  readonly html?: string;
  readonly attachments?: readonly Attachment[];
  /** What webhooks are told, by the type of Standard Webhooks. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A mail, for the port that sends it. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments: readonly Attachment[];
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request, for the port that sends it. */
export interface HttpLetter {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** With a link by which its person unsubscribes: on the page, and by the button that mail programs show (RFC 8058). */
export function writeMail(
  content: Content,
  to: string,
  { messageId, host, unsubscribeUrl }: { messageId: string; host: string; unsubscribeUrl: string | undefined },
): MailMessage {
  const { subject, text, html, attachments = [] } = content;
  const why = unsubscribeUrl === undefined ? '' : `\n\n-- \nUnsubscribe: ${unsubscribeUrl}\n`;
  const link = unsubscribeUrl && `<p style="color:#777"><a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></p>`;
  return {
    to,
    subject,
    text: `${text}${why}`,
    ...(html === undefined ? {} : { html: `<!doctype html><html><body>${html}${link ?? ''}</body></html>` }),
    attachments,
    messageId: `<${messageId}@${host}>`,
    headers: {
      // Nobody's holiday answers it.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  };
}

/** Signed as webhooks of events are. */
export function writeWebhook(
  content: Content,
  url: string,
  secret: string,
  messageId: string,
  now: number,
): HttpLetter {
  const { type, timestamp, data } = content;
  const body = JSON.stringify({ type, timestamp, data });
  const headers = {
    'user-agent': USER_AGENT,
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': new Webhook(secret).sign(messageId, new Date(now), body),
  };
  return { method: 'POST', url, headers, body };
}

/** Slack reads `<`, `>` and `&` as marks: what somebody named must be no link and call nobody. */
export function writeSlack({ subject, text }: Content, url: string): HttpLetter {
  const whole = [...`${subject}\n${text}`].slice(0, SLACK_LENGTH).join('');
  const escaped = whole.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const headers = { 'user-agent': USER_AGENT, 'content-type': 'application/json' };
  return { method: 'POST', url, headers, body: JSON.stringify({ text: escaped }) };
}
