/** Wires who asks: keys, the admin token and people, and the routes by which people sign in and belong somewhere. */
import { administrators, type Administrators } from '../http/administrators';
import type { Access } from '../http/auth';
import { countGuesses, guessLimit, OVER_ALL } from '../http/guesses';
import { browserSessions } from '../http/session';
import { smtpMail } from '../people/mail';
import { createMailer } from '../people/mailer';
import { createOidc } from '../people/oidc';
import { oidcRoutes } from '../people/oidc-routes';
import { peopleRoutes } from '../people/routes';
import { findPerson, SESSION_DAYS } from '../people/sessions';
import type { HttpParts } from './http-parts';

/** Who asks: by a key, by the admin token, or signed in. */
export interface Guards {
  readonly access: Access;
  readonly admins: Administrators;
}

export function wireGuards({ config, adminToken, postgres, snapshot, createLimiter, now }: HttpParts): Guards {
  const { limits, trustProxy, publicUrl } = config;
  const sessions = browserSessions({
    findPerson: (cookie) => findPerson(postgres, cookie, now()),
    publicUrl,
    trustProxy,
    cookieDays: SESSION_DAYS,
    secret: adminToken,
  });
  const guesses = guessLimit(createLimiter('admin', limits.admin));
  return { access: { snapshot, sessions }, admins: administrators({ adminToken, guesses, sessions, snapshot }) };
}

/** Signing in, members, and a provider of identities where there is one. */
export function peopleRouters(parts: HttpParts & Guards) {
  const { config, access, admins, seals, postgres, readers, createLimiter, log, now } = parts;
  const { sessions } = access;
  const { signIn, invitations } = config.limits;
  const overAll = signIn && { ...signIn, points: signIn.points * OVER_ALL };
  const guesses = countGuesses({
    one: guessLimit(createLimiter('sign-in', signIn)),
    all: guessLimit(createLimiter('sign-in-all', overAll)),
    sessions,
  });
  const factorSeal = seals.of('second factors');
  const mail = config.mail && smtpMail(config.mail.url, config.mail.from);
  const mailer = createMailer(postgres, mail, config.publicUrl, log, now);
  // Housekeeping repeats what fails now.
  const endReaders = () =>
    readers.sync().catch((error: Error) => log.warn(`Users of ClickHouse were not ended yet: ${error.message}`));
  const oidc = config.oidc && createOidc(config.oidc);
  return [
    peopleRoutes({
      postgres,
      sessions,
      admins,
      guesses,
      mailer,
      providerName: config.oidc?.name,
      seal: factorSeal,
      invitations: createLimiter('invitations', invitations),
      endReaders,
      now,
    }),
    ...(oidc ? [oidcRoutes({ postgres, sessions, guesses, oidc, seal: seals.of('oidc'), factorSeal, now })] : []),
  ];
}
