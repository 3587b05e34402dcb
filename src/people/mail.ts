/** E-mail with links, where an SMTP server is configured. */
import { createTransport } from 'nodemailer';

export interface Mail {
  /** @throws Error when the server does not take it. */
  send(to: string, subject: string, text: string): Promise<void>;
  /** A mail with all that it may have. @throws Error when the server does not take it, with its `responseCode`. */
  sendWhole(mail: WholeMail): Promise<void>;
}

export interface WholeMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
    readonly cid?: string;
  }[];
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;
/** Characters of a name in a mail. */
const MAX_NAME = 60;

/** `url` as nodemailer takes it: `smtp://user:password@host:587`. */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport(url, { from });
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  Object.assign(transport.options, timeouts);
  return {
    async send(address, subject, text) {
      // As an object it is one address, whatever stands in it.
      await transport.sendMail({ to: { name: '', address }, subject, text });
    },
    async sendWhole({ to: address, attachments, headers, ...mail }) {
      await transport.sendMail({
        ...mail,
        to: { name: '', address },
        headers: { ...headers },
        attachments: attachments.map((one) => ({ ...one })),
        // Nothing is read from files or fetched because a text says so.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
  };
}

/**
 * A name, which somebody chose, as words: what a reader's program could take for a link, for an address or for another
 * line of the mail is left out.
 */
export const plainName = (name: string) =>
  [...name.replace(/[^\p{L}\p{M}\p{N}'’&-]+/gu, ' ').trim()].slice(0, MAX_NAME).join('');

export const invitationSubject = (place: string) => `Invitation to ${plainName(place)}`;

export const invitationMail = (inviter: string, place: string, link: string) =>
  `${plainName(inviter)} invites you to ${plainName(place)} on adtrail.\n\n` +
  `Follow this link within 7 days:\n\n${link}\n`;

export const passwordMail = (link: string) =>
  'Somebody asked for a new password for your account on adtrail.\n\n' +
  `Follow this link within a day to set it:\n\n${link}\n\nIf that was not you, do nothing.\n`;
