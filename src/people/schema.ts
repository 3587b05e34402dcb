/** What the routes of people take and answer (docs/contract/people.md). */
import {
  anyObject,
  closed,
  instant,
  list,
  named,
  nullable,
  choice,
  optional,
  rowId as id,
  Type,
  mapTo,
} from '../lib/schema';
import { ROLES } from '../http/permissions';

/** One address and nothing else, since mail goes there. */
const email = Type.String({ maxLength: 254, format: 'address' });
/** One that exists may be of any form: it is only compared. */
const anyEmail = Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' });
const name = Type.String({ minLength: 1, maxLength: 100, format: 'one-line' });
/** One that exists may be of any length: it is only compared. */
const anyPassword = Type.String({ minLength: 1, maxLength: 200 });
const newPassword = Type.String({ minLength: 12, maxLength: 200 });
const code = Type.String({ minLength: 6, maxLength: 40 });
const token = Type.String({ minLength: 1, maxLength: 100 });
const role = choice(ROLES);
const place = optional({ account_id: id, partner_id: id });

export const signInSchema = closed({ email: anyEmail, password: anyPassword, ...optional({ code }) });
export const nameSchema = closed({ name });
export const passwordSchema = closed({ current: anyPassword, password: newPassword });
export const confirmSchema = closed({
  secret: Type.String({ pattern: '^[A-Z2-7]{32}$' }),
  code,
  ...optional({ password: anyPassword, current_code: code }),
});
export const removeSchema = closed({ ...optional({ password: anyPassword, code }) });
export const codeSchema = closed({ code });
export const lookSchema = closed({ token });
export const followSchema = closed({ token, password: newPassword, ...optional({ email, name, code }) });
export const forgottenSchema = closed({ email: anyEmail });
export const invitationSchema = closed({ email, role, ...place });
export const roleSchema = closed({ role });

const text = Type.String();
const places = list(closed({ id, name: text, role, permissions: list(text) }));
export const meSchema = named(
  'Me',
  closed({
    user: closed({ id, email: text, name: text, second_factor: Type.Boolean(), password: Type.Boolean() }),
    operator: Type.Boolean(),
    permissions: list(text),
    accounts: places,
    partners: places,
    projects: list(
      closed({
        id,
        name: text,
        account_id: id,
        currency: text,
        timezone: text,
        target_roas: Type.Number(),
        locale: text,
        permissions: list(text),
      }),
    ),
  }),
);
export const sessionsSchema = closed({
  sessions: list(
    named(
      'Session',
      closed({
        id,
        created_at: instant,
        last_seen_at: instant,
        expires_at: instant,
        address: text,
        user_agent: text,
        current: Type.Boolean(),
      }),
    ),
  ),
});
export const offerSchema = closed({ secret: text, uri: text, qr: text });
export const recoveryCodesSchema = closed({ recovery_codes: list(text) });
export const linkSchema = closed({
  kind: choice(['first', 'invitation', 'password']),
  email: nullable(text),
  role: choice([...ROLES, null]),
  place: nullable(text),
  known: Type.Boolean(),
  expires_at: instant,
});
export const providersSchema = closed({
  mail: Type.Boolean(),
  oidc: Type.Union([closed({ name: text }), Type.Null()]),
});
export const membersSchema = closed({
  members: list(
    named(
      'Member',
      closed({
        id,
        name: text,
        email: text,
        role,
        created_at: instant,
        last_seen_at: Type.Union([instant, Type.Null()]),
        second_factor: Type.Boolean(),
      }),
    ),
  ),
  invitations: list(
    named(
      'Invitation',
      closed({ id, email: text, role, created_at: instant, expires_at: instant, invited_by: nullable(text) }),
    ),
  ),
});
export const madeLinkSchema = closed({ mailed: Type.Boolean(), expires_at: instant, ...optional({ link: text }) });
export const madeInvitationSchema = closed({
  id,
  email: text,
  role,
  mailed: Type.Boolean(),
  expires_at: instant,
  ...optional({ link: text }),
});
export const firstLinkSchema = closed({ link: text, expires_at: instant });

/** What may be asked for of the audit log at a time. */
export const auditLimits = { default: 100, maximum: 1000 } as const;
export const ACTIONS = ['create', 'change', 'delete'] as const;
const number = nullable(Type.Integer());
const object = Type.Union([anyObject, Type.Null()]);
export const auditLogSchema = closed({
  entries: list(
    named(
      'AuditEntry',
      closed({
        id: Type.Integer(),
        at: instant,
        actor: choice(['user', 'admin_token', 'server_key', 'service', 'database']),
        actor_name: text,
        address: text,
        account_id: number,
        project_id: number,
        partner_id: number,
        action: choice(ACTIONS),
        subject: text,
        name: text,
        before: object,
        after: object,
      }),
    ),
  ),
  names: {
    ...mapTo(mapTo(text)),
    description: 'What IDs in the entries are called today, by field and ID; what is gone is missing.',
  },
  next_before: number,
});
