/** Who may do what and give which role, and what people write of each other. */
import { auditParameters, onePlace, placeParameters } from '../../../src/people/input';
import { readValues } from '../../../src/openapi/operation';
import {
  ACCOUNT_ROLES,
  collectRoles,
  mayGive,
  PARTNER_ROLES,
  PERMISSIONS,
  permissionsIn,
  roleIn,
  ROLES,
  rolesGivenBy,
  rolesWith,
  type Role,
} from '../../../src/http/permissions';
import { plainName } from '../../../src/people/mail';
import { followSchema, invitationSchema, nameSchema } from '../../../src/people/schema';
import { validator } from '../../../src/lib/validate';
import { refusal } from '../../support/http/refusal';

/** The table of docs/contract/people.md. */
const MAY: Readonly<Record<Exclude<Role, 'operator'>, readonly string[]>> = {
  owner: [
    ...['reports', 'boards', 'links', 'spend', 'installs', 'settings', 'keys'],
    ...['members', 'erasure', 'audit-log', 'account', 'sql', 'connections', 'status'],
  ],
  admin: [
    ...['reports', 'boards', 'links', 'spend', 'installs', 'settings', 'keys'],
    ...['members', 'erasure', 'sql', 'connections', 'status'],
  ],
  analyst: ['reports', 'boards', 'links', 'spend', 'installs'],
  viewer: ['reports'],
  engineer: ['reports', 'installs', 'sql', 'connections', 'status'],
  partner_admin: ['partner', 'partner-tokens', 'partner-postbacks', 'partner-members'],
  partner_viewer: ['partner'],
};

describe('roles', () => {
  test.each(Object.entries(MAY))('%s may what the contract says', (role, permissions) =>
    expect(PERMISSIONS[role as Role]).toEqual(permissions),
  );

  test('an operator may everything that somebody may, and what is of the installation', () => {
    expect(new Set(PERMISSIONS.operator)).toEqual(new Set([...Object.values(MAY).flat(), 'installation']));
    expect(rolesWith('installation')).toEqual(['operator']);
    expect(rolesWith('audit-log')).toEqual(['operator', 'owner']);
  });

  const person = collectRoles([
    { role: 'admin', account_id: 1, partner_id: null, analyst_sql: false },
    { role: 'viewer', account_id: 2, partner_id: null, analyst_sql: false },
    { role: 'partner_viewer', account_id: null, partner_id: 1, analyst_sql: null },
  ]);
  const operator = collectRoles([{ role: 'operator', account_id: null, partner_id: null, analyst_sql: null }]);

  test('a role counts in its place, and an operator is one everywhere', () => {
    expect([1, 2, 3].map((account) => roleIn(person, { account }))).toEqual(['admin', 'viewer', undefined]);
    expect([1, 2].map((partner) => roleIn(person, { partner }))).toEqual(['partner_viewer', undefined]);
    expect(roleIn(person, 'installation')).toBeUndefined();
    for (const place of [{ account: 9 }, { partner: 9 }, 'installation'] as const)
      expect(roleIn(operator, place)).toBe('operator');
    expect(permissionsIn(person, { account: 2 })).toEqual(['reports']);
    expect(permissionsIn(person, { account: 3 })).toEqual([]);
    expect(permissionsIn(operator, 'installation')).toEqual(['installation']);
    expect(permissionsIn(operator, { partner: 1 })).toEqual(MAY.partner_admin);
  });

  test('an account lets its analysts use SQL, and nobody else', () => {
    const member = (role: Role, account_id: number, analyst_sql: boolean) =>
      ({ role, account_id, partner_id: null, analyst_sql }) as const;
    const analyst = collectRoles([member('analyst', 1, true), member('analyst', 2, false), member('viewer', 3, true)]);
    expect([1, 2, 3].map((account) => permissionsIn(analyst, { account }))).toEqual([
      [...(MAY.analyst as string[]), 'sql'],
      MAY.analyst,
      MAY.viewer,
    ]);
    for (const role of ACCOUNT_ROLES.filter((one) => one !== 'analyst'))
      expect(permissionsIn(collectRoles([member(role, 1, true)]), { account: 1 })).toEqual(MAY[role]);
  });

  test.each<[Role, readonly Role[], readonly Role[], readonly Role[]]>([
    ['operator', ACCOUNT_ROLES, PARTNER_ROLES, ['operator']],
    ['owner', ACCOUNT_ROLES, [], []],
    ['admin', ['admin', 'analyst', 'viewer', 'engineer'], [], []],
    ['analyst', [], [], []],
    ['viewer', [], [], []],
    ['engineer', [], [], []],
    ['partner_admin', [], PARTNER_ROLES, []],
    ['partner_viewer', [], [], []],
  ])('what %s gives and takes away', (role, inAccount, ofPartner, ofInstallation) => {
    expect(ROLES).toContain(role);
    expect(rolesGivenBy(role, { account: 1 })).toEqual(inAccount);
    expect(rolesGivenBy(role, { partner: 1 })).toEqual(ofPartner);
    expect(rolesGivenBy(role, 'installation')).toEqual(ofInstallation);
  });

  test('nobody gives a role where they have none', () => {
    expect(mayGive(person, { account: 1 }, 'viewer')).toBe(true);
    for (const [account, role] of [
      [1, 'owner'],
      [2, 'viewer'],
      [3, 'viewer'],
    ] as const)
      expect([account, role, mayGive(person, { account }, role)]).toEqual([account, role, false]);
  });
});

describe('what is asked for', () => {
  const readAudit = (text: string) => readValues(auditParameters, new URLSearchParams(text));
  test('a place is an account, a partner or the installation', () => {
    expect(onePlace(7, undefined)).toEqual({ account: 7 });
    expect(onePlace(undefined, 7)).toEqual({ partner: 7 });
    expect(onePlace(undefined, undefined)).toBe('installation');
    expect(refusal(() => onePlace(1, 2))).toEqual([400, 'partner_id: either this or account_id can be given']);
    for (const id of ['0', '-1', 'x', '2147483648'])
      expect(refusal(() => readValues(placeParameters, new URLSearchParams(`account_id=${id}`)))[0]).toBe(400);
  });

  test('the audit log, by default a hundred entries of all', () => {
    expect(readAudit('action=&limit=')).toEqual({ limit: 100 });
    const from = '2026-01-01T00:00:00Z';
    expect(readAudit(`account_id=3&before=9&action=create&subject=campaigns&limit=1000&from=${from}`)).toEqual({
      account_id: 3,
      before: 9,
      action: 'create',
      subject: 'campaigns',
      limit: 1000,
      from,
    });
  });

  test.each([
    'action=x',
    'limit=0',
    'limit=1001',
    'before=x',
    'from=yesterday',
    'to=2026-01-01',
    'actor=%00',
    'subject=%00',
  ])('%s is refused by its name', (text) => {
    const [status, message] = refusal(() => readAudit(text));
    expect([status, message.split(':')[0]]).toEqual([400, text.split('=')[0]]);
  });
});

describe('what people write to others', () => {
  const invite = (email: unknown) => validator(invitationSchema)({ email, role: 'viewer', account_id: 1 });
  const bad = [
    'a@x.example,b@y.example',
    'a,b@x.example',
    '<a@x.example>',
    'Ann <a@x.example>',
    'a@x.example;b',
    5,
    null,
  ];
  const worse = [
    'a"b"@x.example',
    'a@x',
    'a@-x.example',
    'a@x..example',
    `${'a'.repeat(65)}@x.example`,
    '\u0131nes@x.example',
  ];
  test.each([...bad, ...worse, 'a\u0000@x.example', 'a\n@x.example', 'ann@\u212Aelvin.example'])(
    '%j is no address',
    (email) => {
      const [status, message] = refusal(() => invite(email));
      expect([status, message.startsWith('email: ')]).toEqual([400, true]);
    },
  );

  test.each([
    'Ann\nWin money',
    'Ann\r\n\r\nevil',
    'A\u2028B',
    'A\u0085B',
    'A\u202EB',
    'A\u2066B',
    ' \t ',
    'A\u001b[2J',
  ])('%j is no name', (name) => {
    const message = 'name: must match format "one-line"';
    expect(refusal(() => validator(nameSchema)({ name }))).toEqual([400, message]);
    expect(refusal(() => validator(followSchema)({ token: 't', password: 'x'.repeat(12), name }))).toEqual([
      400,
      message,
    ]);
  });

  test.each([
    ['Ann', 'Ann'],
    ['https://evil.example/ Ann', 'https evil example Ann'],
    ['  Ann <a@x.example>!', 'Ann a x example'],
    ['x'.repeat(100), 'x'.repeat(60)],
  ])('of the name %j a mail has %j', (name, plain) => expect(plainName(name)).toBe(plain));

  test.each(['Zoë O’Neil-Smith', '山田 太郎', 'مریم\u200cها', 'João da Silva'])('%j is one', (name) =>
    expect(validator(nameSchema)({ name })).toEqual({ name }),
  );

  test.each([
    [{ role: 'viewer' }, 'body: "email" is required'],
    [{ email: 'a@x.example', role: 'king' }, `role: must be one of ${ROLES.join(', ')}`],
    [{ email: 'a@x.example', role: 'viewer', account_id: 0 }, 'account_id: must be >= 1'],
  ])('the invitation %j is refused', (invitation, message) =>
    expect(refusal(() => validator(invitationSchema)(invitation))).toEqual([400, message]),
  );

  test('a new password has 12 to 200 characters', () => {
    const follow = (length: number) => () => validator(followSchema)({ token: 't', password: 'x'.repeat(length) });
    for (const length of [12, 200]) expect(follow(length)).not.toThrow();
    expect(refusal(follow(11))[1]).toBe('password: must NOT have fewer than 12 characters');
    expect(refusal(follow(201))[0]).toBe(400);
  });
});
