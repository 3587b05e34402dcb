/** E-mail with links, where an SMTP server is configured. */
import { createTransport } from 'nodemailer';

export interface Mail {
  /** @throws Error when the server does not take it. */
  send(to: string, subject: string, text: string): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** `url` as nodemailer takes it: `smtp://user:password@host:587`. */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport(url, { from });
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  Object.assign(transport.options, timeouts);
  return {
    async send(to, subject, text) {
      await transport.sendMail({ to, subject, text });
    },
  };
}

export const invitationMail = (inviter: string, place: string, link: string) =>
  `${inviter} invites you to ${place} on adtrail.\n\nFollow this link within 7 days:\n\n${link}\n`;

export const passwordMail = (link: string) =>
  'Somebody asked for a new password for your account on adtrail.\n\n' +
  `Follow this link within a day to set it:\n\n${link}\n\nIf that was not you, do nothing.\n`;
