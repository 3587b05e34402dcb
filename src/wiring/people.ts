/** Wires who asks: keys, the admin token and people, and the routes by which people sign in and belong somewhere. */
import { administrators, type Administrators } from '../http/administrators';
import type { Access } from '../http/auth';
import { guessLimit } from '../http/limits';
import { browserSessions } from '../http/session';
import { smtpMail } from '../people/mail';
import { createMailer } from '../people/mailer';
import { memberRoutes } from '../people/members-routes';
import { createOidc } from '../people/oidc';
import { oidcRoutes } from '../people/oidc-routes';
import { peopleRoutes } from '../people/routes';
import { personOf, SESSION_DAYS } from '../people/sessions';
import { createSeal } from '../seal';
import type { HttpParts } from './http';

/** Who asks: by a key, by the admin token, or signed in. */
export interface Guards {
  readonly access: Access;
  readonly admins: Administrators;
}

export function wireGuards({ config, adminToken, postgres, snapshot, limiterOf, now }: HttpParts): Guards {
  const { limits, trustProxy, publicUrl } = config;
  const sessions = browserSessions({
    personOf: (cookie) => personOf(postgres, cookie, now()),
    publicUrl,
    trustProxy,
    cookieDays: SESSION_DAYS,
  });
  const guesses = guessLimit(limiterOf('admin', limits.admin), trustProxy);
  return { access: { snapshot, sessions }, admins: administrators({ adminToken, guesses, sessions, snapshot }) };
}

/** Signing in, members, and a provider of identities where there is one. */
export function peopleRouters(parts: HttpParts, { access, admins }: Guards) {
  const { config, adminToken, postgres, limiterOf, log, now } = parts;
  const { sessions } = access;
  const guesses = guessLimit(limiterOf('sign-in', config.limits.signIn), config.trustProxy);
  const mail = config.mail && smtpMail(config.mail.url, config.mail.from);
  const mailer = createMailer(postgres, mail, config.publicUrl, log, now);
  const oidc = config.oidc && createOidc(config.oidc);
  return [
    peopleRoutes({ postgres, sessions, guesses, mailer, providerName: config.oidc?.name, now }),
    memberRoutes({ postgres, sessions, admins, mailer, now }),
    ...(oidc ? [oidcRoutes({ postgres, sessions, oidc, seal: createSeal(adminToken, 'oidc'), now })] : []),
  ];
}
