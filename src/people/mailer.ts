/** Hands a link to its person: by e-mail where that is set up, else to the one who has made it. */
import { changeAs, SERVICE } from '../configuration/change';
import type { Postgres } from '../db/postgres';
import type { Log } from '../lib/log';
import { MINUTE_MS } from '../lib/time';
import { changeBelonging } from './belonging';
import { makeLink, type MadeLink } from './links';
import { invitationMail, invitationSubject, passwordMail, type Mail } from './mail';
import * as queries from './queries';

/** Who asks for a new password again within this time has a mail already. */
const AGAIN_MS = 10 * MINUTE_MS;

export interface Mailer {
  readonly isThere: boolean;
  /** What the one who has made a link is told: that it was mailed, or the link itself. */
  readonly deliver: (made: MadeLink, origin: string, mail: Letter) => Promise<Delivered>;
  /** Mails a link for a new password to a person with this address, if there is one; tells nothing. */
  readonly sendPasswordLink: (email: string) => void;
}

export type Letter = { readonly to: string } & (
  { readonly kind: 'password' } | { readonly kind: 'invitation'; readonly inviter: string; readonly place: string }
);

export interface Delivered {
  readonly mailed: boolean;
  readonly expires_at: Date;
  readonly link?: string;
}

/** The page reads the token from the fragment, which no server and no log sees. */
export const buildLink = (origin: string, token: string) => `${origin}/welcome#${token}`;

export function createMailer(
  postgres: Postgres,
  mail: Mail | undefined,
  publicUrl: string | undefined,
  log: Log,
  now: () => number,
): Mailer {
  const write = async (link: string, letter: Letter): Promise<boolean> => {
    if (!mail) return false;
    const [subject, text] =
      letter.kind === 'password'
        ? ['Your new password for adtrail', passwordMail(link)]
        : [invitationSubject(letter.place), invitationMail(letter.inviter, letter.place, link)];
    try {
      await mail.send(letter.to, subject, text);
      return true;
    } catch (error) {
      log.warn(`An e-mail was not sent: ${(error as Error).message}`);
      return false;
    }
  };
  async function passwordLink(email: string): Promise<void> {
    const [user] = await queries.findUserByEmail(postgres, email);
    if (!user || !mail || publicUrl === undefined) return;
    const made = await changeBelonging(postgres, SERVICE, async (db) => {
      const since = new Date(now() - AGAIN_MS);
      const [recent] = await queries.mailedSince(db, user.id, since, new Date(now()));
      return recent ? undefined : makeLink(db, { kind: 'password', userId: user.id, mailed: true }, now());
    });
    if (made) await write(buildLink(publicUrl, made.token), { kind: 'password', to: email });
  }
  return {
    isThere: mail !== undefined,
    async deliver({ id, token, expiresAt }, origin, letter) {
      const link = buildLink(origin, token);
      const mailed = await write(link, letter);
      // Before anybody sees it: who follows it then has not proven to have the address.
      if (mail && !mailed) await changeAs(postgres, SERVICE, (db) => queries.showLink(db, id));
      return { mailed, expires_at: expiresAt, ...(mailed ? {} : { link }) };
    },
    sendPasswordLink(email) {
      void passwordLink(email).catch((error: Error) => log.warn(`No link for a new password: ${error.message}`));
    },
  };
}
