/** People for the OpenAPI document (docs/contract/people.md). */
import {
  errorReply,
  rateLimited,
  tooLarge,
  type ApiSection,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from '../openapi/operation';
import { Type, choice } from '../lib/schema';
import * as schema from './schema';

type Short = Pick<Operation, 'method' | 'operationId' | 'summary' | 'description' | 'parameters'> & {
  readonly at: string;
  readonly takes?: readonly [schema: Schema, example: unknown];
  readonly gives: readonly [status: number, schema?: Schema];
  readonly also?: Readonly<Record<number, Response>>;
  /** For anybody: the request itself says who asks. */
  readonly open?: true;
};

const forbidden = errorReply(
  403,
  'Asked for by another site, or the role does not allow it.',
  'Your role does not allow this.',
);
const nothing = (what: string) => errorReply(404, `There is no such ${what.toLowerCase()}.`, `${what} not found.`);
const notAsked = errorReply(400, 'The body or a parameter is invalid.', 'body: "password" is required');
const unknown = errorReply(401, 'Nobody is signed in.', 'Unauthorized access.');

function operation({ at, takes, gives: [status, answer], also, open, ...rest }: Short): Operation {
  const body = takes && { schema: takes[0], example: takes[1] };
  return {
    ...rest,
    path: `/auth/v1${at}`,
    security: open ? [] : ['session'],
    ...(body && { body }),
    responses: Object.assign(
      {
        [status]: {
          description: answer ? 'Done.' : 'Done; there is nothing to say.',
          ...(answer && { schema: answer }),
        },
        400: notAsked,
        403: forbidden,
        429: rateLimited,
      },
      open ? {} : { 401: unknown },
      body ? { 413: tooLarge('10kb') } : {},
      also,
    ),
  };
}

const id = (what: string): Parameter => ({
  name: 'id',
  in: 'path',
  description: `ID of the ${what}, as its list gives it.`,
  schema: Type.Integer({ minimum: 1 }),
  example: 1,
});
const filter = (name: string, description: string, type: Schema = Type.String()): Parameter => ({
  name,
  in: 'query',
  description,
  schema: type,
});
const places = [
  filter('account_id', 'The account.', Type.Integer({ minimum: 1 })),
  filter('partner_id', 'The partner; neither of the two: the installation.', Type.Integer({ minimum: 1 })),
];
const wrong = errorReply(401, 'The address, the password or the code is wrong.', 'The code is wrong.');
const withFactor = { ...wrong, schema: Type.Object({ msg: Type.String(), status: Type.Integer() }) };
const justTaken = errorReply(
  409,
  'Another request has just made a person with this address.',
  'This e-mail address has an account since a moment ago. Please try again.',
);
const isMember = errorReply(
  409,
  'The person is a member already.',
  'This person is a member already: change the role instead.',
);
const noProvider = errorReply(404, 'No provider of identities is set up.', 'Not found.');
const noLink = errorReply(
  404,
  'The link does not work any more.',
  'This link has been used, replaced, or has expired.',
);
const last = errorReply(
  409,
  'The last owner of an account and the last operator stay.',
  'There must be at least one owner.',
);
const email = 'ann@acme.example';
const password = 'correct horse battery';

export const peopleApi: ApiSection = {
  tag: 'People',
  description: 'Signing in, members of accounts and partners, and the audit log. The session is a cookie.',
  operations: [
    operation({
      method: 'get',
      at: '/providers',
      operationId: 'listSignInProviders',
      summary: 'What people can sign in with',
      description: 'Whether links are mailed, and the provider of identities where there is one.',
      gives: [200, schema.providersSchema],
      open: true,
    }),
    operation({
      method: 'post',
      at: '/sign-in',
      operationId: 'signIn',
      summary: 'Sign in',
      description: 'Sets the cookie of a session. With a second factor a 401 with `second_factor` asks for `code`.',
      takes: [schema.signInSchema, { email, password }],
      gives: [200, schema.meSchema],
      also: { 401: withFactor },
      open: true,
    }),
    operation({
      method: 'get',
      at: '/oidc/start',
      operationId: 'startOidc',
      summary: 'Sign in through the provider of identities',
      description: 'For browsers: leads to the provider, and back to the page `to`. 404 where no provider is set up.',
      parameters: [filter('to', 'A path of this service.')],
      gives: [302],
      also: { 404: noProvider },
      open: true,
    }),
    operation({
      method: 'get',
      at: '/oidc/callback',
      operationId: 'finishOidc',
      summary: 'Come back from the provider',
      description:
        'Sets the cookie of a session and leads to the page that was asked for; else to the sign-in page, with ' +
        '`error`, or with `step=code` where the person has a second factor.',
      gives: [302],
      also: { 404: noProvider },
      open: true,
    }),
    operation({
      method: 'post',
      at: '/oidc/code',
      operationId: 'finishOidcWithCode',
      summary: 'Say the code of the second factor after the provider',
      description: 'Within ten minutes of coming back, in the same browser. Sets the cookie of a session.',
      takes: [schema.codeSchema, { code: '123456' }],
      gives: [200, schema.meSchema],
      also: { 401: withFactor, 404: noProvider },
      open: true,
    }),
    operation({
      method: 'post',
      at: '/sign-out',
      operationId: 'signOut',
      summary: 'Sign out',
      description: 'Ends the session, if there is one.',
      gives: [204],
      open: true,
    }),
    operation({
      method: 'post',
      at: '/password-link',
      operationId: 'mailPasswordLink',
      summary: 'Ask for a new password',
      description:
        'Mails a link where mail is set up and the address belongs to somebody; the answer is always the same.',
      takes: [schema.forgottenSchema, { email }],
      gives: [202, Type.Object({ msg: Type.String(), status: Type.Integer() })],
      open: true,
    }),
    operation({
      method: 'post',
      at: '/links/look',
      operationId: 'lookAtLink',
      summary: 'Look what a link is for',
      description: 'It goes on working.',
      takes: [schema.lookSchema, { token: 'link_…' }],
      gives: [200, schema.linkSchema],
      also: { 404: noLink },
      open: true,
    }),
    operation({
      method: 'post',
      at: '/links/follow',
      operationId: 'followLink',
      summary: 'Follow a link',
      description:
        'Makes the person, gives the role or sets the password, and signs in. A link works once, and is judged by ' +
        'what is so when it is used: whether who has made it still may, and what its person is. A mailed one proves ' +
        'the address: where nobody has before, it sets the password, and the second factor and other sessions end.',
      takes: [schema.followSchema, { token: 'link_…', email, name: 'Ann', password }],
      gives: [200, schema.meSchema],
      also: { 401: withFactor, 404: noLink, 409: justTaken },
      open: true,
    }),
    {
      ...operation({
        method: 'post',
        at: '/first-link',
        operationId: 'makeFirstLink',
        summary: 'Make a link for an operator',
        description: 'Only with the admin token. It works once, for a day; an earlier one does not work any more.',
        parameters: [filter('unless_there_is', '`true`: 409 where somebody operates the installation already.')],
        gives: [201, schema.firstLinkSchema],
        also: { 409: errorReply(409, 'There is one, and it was to be the first.', 'There is an operator already.') },
      }),
      security: ['adminToken'],
    },
    operation({
      method: 'get',
      at: '/me',
      operationId: 'getMe',
      summary: 'Who is signed in',
      description: 'The person, and what may be done in each account, project and partner.',
      gives: [200, schema.meSchema],
    }),
    operation({
      method: 'put',
      at: '/me/name',
      operationId: 'setMyName',
      summary: 'Change the own name',
      description: 'The name that others see.',
      takes: [schema.nameSchema, { name: 'Ann' }],
      gives: [200, schema.meSchema],
    }),
    operation({
      method: 'put',
      at: '/me/password',
      operationId: 'setMyPassword',
      summary: 'Change the own password',
      description: 'All other sessions end.',
      takes: [schema.passwordSchema, { current: password, password: `${password} staple` }],
      gives: [204],
    }),
    operation({
      method: 'post',
      at: '/me/second-factor',
      operationId: 'offerSecondFactor',
      summary: 'Begin a second factor',
      description: 'A secret for an authenticator app. Nothing changes until a code of it is confirmed.',
      gives: [200, schema.offerSchema],
    }),
    operation({
      method: 'post',
      at: '/me/second-factor/confirm',
      operationId: 'confirmSecondFactor',
      summary: 'Turn the second factor on',
      description:
        'Takes the password, and with `current_code` a code of the second factor that there is; who has none signs ' +
        'in again first. Answers with the recovery codes, this once. All other sessions end.',
      takes: [schema.confirmSchema, { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', code: '123456', password }],
      gives: [200, schema.recoveryCodesSchema],
      also: { 401: withFactor },
    }),
    operation({
      method: 'post',
      at: '/me/second-factor/remove',
      operationId: 'removeSecondFactor',
      summary: 'Turn the second factor off',
      description: 'Takes the password and a code. All other sessions end.',
      takes: [schema.removeSchema, { password, code: '123456' }],
      gives: [204],
      also: { 401: withFactor },
    }),
    operation({
      method: 'get',
      at: '/sessions',
      operationId: 'listSessions',
      summary: 'List the own sessions',
      description: 'Those that have not ended.',
      gives: [200, schema.sessionsSchema],
    }),
    operation({
      method: 'delete',
      at: '/sessions/{id}',
      operationId: 'endSession',
      summary: 'End a session',
      description: 'At once.',
      parameters: [id('session')],
      gives: [204],
      also: { 404: nothing('Session') },
    }),
    operation({
      method: 'delete',
      at: '/sessions',
      operationId: 'endSessions',
      summary: 'Sign out everywhere',
      description: 'Ends all own sessions, this one too.',
      gives: [204],
    }),
    operation({
      method: 'get',
      at: '/members',
      operationId: 'listMembers',
      summary: 'List members',
      description: 'Of an account, a partner or the installation, with the invitations that nobody has followed.',
      parameters: places,
      gives: [200, schema.membersSchema],
      also: { 404: nothing('Account') },
    }),
    operation({
      method: 'put',
      at: '/members/{id}/role',
      operationId: 'setMemberRole',
      summary: 'Change the role of a member',
      description: 'In force at the next request.',
      parameters: [id('member')],
      takes: [schema.roleSchema, { role: 'viewer' }],
      gives: [204],
      also: { 404: nothing('Member'), 409: last },
    }),
    operation({
      method: 'delete',
      at: '/members/{id}',
      operationId: 'removeMember',
      summary: 'Take a member out',
      description: 'In force at the next request. Links and SQL users that the member has made end too.',
      parameters: [id('member')],
      gives: [204],
      also: { 404: nothing('Member'), 409: last },
    }),
    operation({
      method: 'post',
      at: '/members/{id}/password-link',
      operationId: 'makePasswordLink',
      summary: 'Make a link for a new password',
      description:
        'Mailed where mail is set up, else shown this once. It ends when a membership of the person is made, changed ' +
        'or ended, and when who has made it may not any more.',
      parameters: [id('member')],
      gives: [201, schema.madeLinkSchema],
      also: { 404: nothing('Member') },
    }),
    operation({
      method: 'post',
      at: '/invitations',
      operationId: 'invite',
      summary: 'Invite a person',
      description:
        'Mailed where mail is set up, else the link is shown this once. It works once, for 7 days, as long as who ' +
        'has made it may give the role.',
      takes: [schema.invitationSchema, { email: 'bob@acme.example', role: 'viewer', account_id: 1 }],
      gives: [201, schema.madeInvitationSchema],
      also: { 404: nothing('Account'), 409: isMember },
    }),
    operation({
      method: 'delete',
      at: '/invitations/{id}',
      operationId: 'withdrawInvitation',
      summary: 'Withdraw an invitation',
      description: 'Its link does not work any more.',
      parameters: [id('invitation')],
      gives: [204],
      also: { 404: nothing('Invitation') },
    }),
    operation({
      method: 'get',
      at: '/audit-log',
      operationId: 'readAuditLog',
      summary: 'Read the audit log',
      description: 'What was changed in the configuration, the latest first. Operators may leave `account_id` out.',
      parameters: [
        places[0] as Parameter,
        filter('before', 'Entries before this ID: `next_before` of the page before.', Type.Integer({ minimum: 1 })),
        filter('actor', 'The name of who acted.'),
        filter('action', 'What was done.', choice(schema.ACTIONS)),
        filter('subject', 'What it was done to, for example campaigns.'),
        filter('from', 'Entries from then on.', Type.String({ format: 'date-time' })),
        filter('to', 'Entries before then.', Type.String({ format: 'date-time' })),
        filter('limit', 'How many entries.', Type.Integer({ minimum: 1, ...schema.auditLimits })),
      ],
      gives: [200, schema.auditLogSchema],
      also: { 404: nothing('Account') },
    }),
  ],
};
