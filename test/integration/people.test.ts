/** People: signing in, links, members, roles, and the audit log (docs/contract.md, People). */
import { TOTP } from 'otpauth';
import { LIMITS_OFF } from '../support/campaigns';
import { paths } from '../support/openapi';
import { browserOf, operatorOf, PASSWORD, personOf, tokenOf, type Browser } from '../support/person';
import { postgresOf } from '../support/postgres';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';
import { startBeside } from '../support/shared-service';

const SERVER_KEY = 'server-key-of-people';

let service: RunningService;
let operator: Browser;
let accounts: Record<string, number>;
let projects: Record<string, number>;
let partners: Record<string, number>;
const byRole: Record<string, Browser> = {};

const ACCOUNT_ROLES = ['owner', 'admin', 'analyst', 'viewer', 'engineer'];
const PARTNER_ROLES = ['partner_admin', 'partner_viewer'];

beforeAll(async () => {
  service = await startService({ ...LIMITS_OFF, LIMIT_SIGN_IN: '1000/600s', LIMIT_ADMIN: 'off' });
  await service.apply({
    accounts: [{ name: 'Acme' }, { name: 'Beta' }],
    partners: [{ name: 'Mobi Ads' }, { name: 'Other Ads' }],
    projects: [
      {
        name: 'Shop',
        account: 'Acme',
        timezone: 'UTC',
        server_keys: [SERVER_KEY],
        domains: [{ name: 'go.acme.example', primary: true }, { name: 'old.acme.example' }],
        partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'one', name: 'One', partner: 'Mobi Ads' }],
      },
      { name: 'Secret', account: 'Beta', timezone: 'UTC' },
    ],
  });
  operator = await operatorOf(service);
  const me = (await operator.send('GET', '/auth/v1/me')).body;
  const ids = (list: unknown) =>
    Object.fromEntries((list as { id: number; name: string }[]).map(({ id, name }) => [name, id]));
  [accounts, projects, partners] = [ids(me.accounts), ids(me.projects), ids(me.partners)];
  for (const role of ACCOUNT_ROLES)
    byRole[role] = await personOf(service, operator, role, { account_id: accounts.Acme });
  for (const role of PARTNER_ROLES)
    byRole[role] = await personOf(service, operator, role, { partner_id: partners['Mobi Ads'] });
});
afterAll(() => service.dispose());

const as = (role: string) => byRole[role] as Browser;
const idIn = (list: unknown, key: string, value: string) =>
  (list as Record<string, unknown>[]).find((one) => one[key] === value)?.id as number;

describe('the first operator', () => {
  test('is made by a link that works once and that only the admin token makes', async () => {
    expect((await operator.send('POST', '/auth/v1/first-link')).status).toBe(403);
    expect((await service.request('/auth/v1/first-link', { method: 'POST' })).status).toBe(401);
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const make = async () =>
      (await (await service.request('/auth/v1/first-link', { method: 'POST', headers })).json()) as {
        link: string;
      };
    const [replaced, { link }] = [await make(), await make()];
    expect(link).toMatch(new RegExp(`^${service.url}/welcome#link_[A-Za-z0-9_-]{32}$`));
    const browser = browserOf(service);
    const look = (one: string) => browser.send('POST', '/auth/v1/links/look', { token: tokenOf(one) });
    expect((await look(replaced.link)).status).toBe(404);
    expect((await look(link)).body).toMatchObject({ kind: 'first', role: 'operator', email: null, known: false });
    const answer = { token: tokenOf(link), email: ' Second@Adtrail.example', name: 'Second', password: PASSWORD };
    for (const field of ['email', 'name', 'password']) {
      const { status, body } = await browser.send('POST', '/auth/v1/links/follow', { ...answer, [field]: undefined });
      expect([status, body.msg]).toEqual([400, `body: "${field}" is required`]);
    }
    const short = await browser.send('POST', '/auth/v1/links/follow', { ...answer, password: 'short' });
    expect([short.status, short.body.msg]).toEqual([400, 'password: must NOT have fewer than 12 characters']);
    const followed = await browser.send('POST', '/auth/v1/links/follow', answer);
    expect(followed.body).toMatchObject({
      user: { email: 'second@adtrail.example', name: 'Second', second_factor: false },
      operator: true,
      permissions: ['installation'],
    });
    expect((await browser.send('POST', '/auth/v1/links/follow', answer)).status).toBe(404);
    expect((await browser.send('GET', '/admin/v1/accounts')).body.accounts).toHaveLength(2);
  });

  test('has a cookie that scripts and other sites do not get', async () => {
    const browser = browserOf(service);
    const { response } = await browser.send('POST', '/auth/v1/sign-in', {
      email: 'olga@adtrail.example',
      password: PASSWORD,
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^adtrail_session=session_[\w-]{32}; path=\/; expires=[^;]+; samesite=lax; httponly$/,
    );
    const beside = await startBeside(service, { TRUST_PROXY: '1' });
    try {
      const secure = await beside.request('/auth/v1/sign-in', {
        method: 'POST',
        headers: { Origin: beside.url, 'X-Forwarded-Proto': 'https' },
        body: JSON.stringify({ email: 'olga@adtrail.example', password: PASSWORD }),
      });
      expect(secure.headers.get('set-cookie')).toMatch(/; secure; httponly$/);
    } finally {
      await beside.dispose();
    }
  });
});

describe('signing in', () => {
  test('tells nobody whether an account exists', async () => {
    const times = [];
    for (const email of ['olga@adtrail.example', 'nobody@adtrail.example']) {
      const browser = browserOf(service);
      const since = performance.now();
      const { status, body } = await browser.send('POST', '/auth/v1/sign-in', { email, password: 'not this one' });
      times.push(performance.now() - since);
      expect([status, body]).toEqual([401, { msg: 'The e-mail address or the password is wrong.', status: 401 }]);
      expect(browser.cookie).toBe('');
      expect((await browser.send('POST', '/auth/v1/password-link', { email })).status).toBe(202);
    }
    // Both have compared a password: neither takes the time of a look into the database alone.
    for (const time of times) expect(time).toBeGreaterThan(8);
  });

  test('is refused for a while after too many wrong passwords, by account and by address', async () => {
    const beside = await startBeside(service, { LIMIT_SIGN_IN: '3/600s', TRUST_PROXY: '1' });
    try {
      const attempt = (email: string, address: string, password = 'wrong password') =>
        browserOf(beside).send('POST', '/auth/v1/sign-in', { email, password }, { 'X-Forwarded-For': address });
      for (const host of [1, 2, 3])
        expect((await attempt('olga@adtrail.example', `203.0.113.${host}`)).status).toBe(401);
      const limited = await attempt('olga@adtrail.example', '203.0.113.4', PASSWORD);
      expect(limited.status).toBe(429);
      expect(Number(limited.response.headers.get('retry-after'))).toBeGreaterThan(500);
      for (const n of [1, 2, 3]) expect((await attempt(`nobody-${n}@x.example`, '203.0.113.9')).status).toBe(401);
      expect((await attempt('owner@adtrail.example', '203.0.113.9', PASSWORD)).status).toBe(429);
      expect((await attempt('owner@adtrail.example', '203.0.113.10', PASSWORD)).status).toBe(200);
    } finally {
      await beside.dispose();
    }
  });

  test('ends with signing out; a session can be ended from another one, and all at once', async () => {
    const sign = async () => {
      const browser = browserOf(service);
      await browser.send('POST', '/auth/v1/sign-in', { email: 'second@adtrail.example', password: PASSWORD });
      return browser;
    };
    const [one, two, three] = [await sign(), await sign(), await sign()];
    const stolen = browserOf(service);
    stolen.cookie = one.cookie;
    expect((await one.send('POST', '/auth/v1/sign-out')).status).toBe(204);
    expect(one.cookie).toBe('');
    expect((await stolen.send('GET', '/auth/v1/me')).status).toBe(401);
    const { sessions } = (await two.send('GET', '/auth/v1/sessions')).body as {
      sessions: { id: number; current: boolean; address: string }[];
    };
    const [newest, own] = [sessions.find(({ current }) => !current), sessions.find(({ current }) => current)];
    expect(own?.address).toBe('127.0.0.1');
    expect((await operator.send('DELETE', `/auth/v1/sessions/${newest?.id}`)).status).toBe(404);
    expect((await two.send('DELETE', `/auth/v1/sessions/${newest?.id}`)).status).toBe(204);
    expect((await three.send('GET', '/auth/v1/me')).status).toBe(401);
    const four = await sign();
    expect((await two.send('DELETE', '/auth/v1/sessions')).status).toBe(204);
    for (const browser of [two, four]) expect((await browser.send('GET', '/auth/v1/me')).status).toBe(401);
  });

  test('slides: a session that is used lasts 30 days from then, one that is not ends', async () => {
    const browser = browserOf(service);
    await browser.send('POST', '/auth/v1/sign-in', { email: 'second@adtrail.example', password: PASSWORD });
    const { sessions } = (await browser.send('GET', '/auth/v1/sessions')).body as {
      sessions: { id: number; current: boolean }[];
    };
    const id = sessions.find(({ current }) => current)?.id;
    const postgres = postgresOf(service);
    const move = (days: number) =>
      postgres.rows(
        `UPDATE sessions SET last_seen_at = now() - interval '1 day', expires_at = now() + $2 * interval '1 day'
         WHERE id = $1`,
        [id, days],
      );
    await move(1);
    expect((await browser.send('GET', '/auth/v1/me')).status).toBe(200);
    const [row] = await postgres.rows<{ days: number }>(
      'SELECT extract(day FROM expires_at - now())::integer AS days FROM sessions WHERE id = $1',
      [id],
    );
    expect(row?.days).toBe(29);
    await move(-1);
    expect((await browser.send('GET', '/auth/v1/me')).status).toBe(401);
    await postgres.close();
  });

  test('with a second factor takes a code, each once, or a recovery code', async () => {
    const person = await personOf(service, operator, 'viewer', { account_id: accounts.Beta }, 'factor@x.example');
    const { secret, uri } = (await person.send('POST', '/auth/v1/me/second-factor')).body as Record<string, string>;
    expect(uri).toMatch(/^otpauth:\/\/totp\/adtrail:factor%40x\.example\?/);
    const codeAt = (step: number) =>
      new TOTP({ secret: secret as string }).generate({ timestamp: Date.now() + step * 30_000 });
    const confirm = (code: string) => person.send('POST', '/auth/v1/me/second-factor/confirm', { secret, code });
    expect((await confirm('000000')).status).toBe(400);
    const { recovery_codes } = (await confirm(codeAt(0))).body as { recovery_codes: string[] };
    expect(recovery_codes).toHaveLength(10);
    const sign = (code?: string) =>
      browserOf(service).send('POST', '/auth/v1/sign-in', { email: 'factor@x.example', password: PASSWORD, code });
    expect(await sign()).toMatchObject({ status: 401, body: { second_factor: true } });
    expect(await sign('000000')).toMatchObject({ status: 401, body: { second_factor: true } });
    // The code that has been used does not work again; the next one does, once.
    const next = codeAt(1);
    expect((await sign(next)).status).toBe(200);
    expect((await sign(next)).status).toBe(401);
    expect((await sign(recovery_codes[3])).status).toBe(200);
    expect((await sign(recovery_codes[3])).status).toBe(401);
    const remove = (password: string) => person.send('POST', '/auth/v1/me/second-factor/remove', { password });
    expect((await remove('wrong password')).status).toBe(403);
    expect((await remove(PASSWORD)).status).toBe(204);
    expect((await sign()).status).toBe(200);
  });

  test('a password is changed by who knows it, and all other sessions end', async () => {
    const person = await personOf(service, operator, 'viewer', { account_id: accounts.Beta }, 'changing@x.example');
    const other = browserOf(service);
    const credentials = { email: 'changing@x.example', password: PASSWORD };
    await other.send('POST', '/auth/v1/sign-in', credentials);
    const change = (current: string) =>
      person.send('PUT', '/auth/v1/me/password', { current, password: 'another long password' });
    expect((await change('wrong password')).status).toBe(403);
    expect((await change(PASSWORD)).status).toBe(204);
    expect((await person.send('GET', '/auth/v1/me')).status).toBe(200);
    expect((await other.send('GET', '/auth/v1/me')).status).toBe(401);
    expect((await other.send('POST', '/auth/v1/sign-in', credentials)).status).toBe(401);
  });
});

describe('other sites', () => {
  test.each([['https://evil.example'], ['null'], ['']])('cannot change anything from %p', async (origin) => {
    const browser = as('owner');
    const path = `/admin/v1/projects/${projects.Shop}/partners/${partners['Mobi Ads']}`;
    const send = (method: string, at: string, body?: object) =>
      service.request(at, {
        method,
        headers: { Cookie: browser.cookie, 'project-id': String(projects.Shop), ...(origin && { Origin: origin }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    for (const [method, at, body] of [
      ['PUT', path, { s2s_clicks: false }],
      ['POST', '/api/v1/create-campaign', { name: 'From elsewhere' }],
      ['DELETE', '/auth/v1/sessions', undefined],
      ['POST', '/auth/v1/sign-in', { email: 'owner@adtrail.example', password: PASSWORD }],
    ] as const) {
      const response = await send(method, at, body);
      expect([at, response.status]).toEqual([at, 403]);
      expect(((await response.json()) as { msg: string }).msg).toBe('Origin: must be the address of this service.');
    }
    expect((await send('GET', '/auth/v1/me')).status).toBe(200);
  });
});

describe('roles', () => {
  /** What each role may, by what a request of its kind is answered with. */
  const project = () => `/admin/v1/projects/${projects.Shop}`;
  const partner = () => `/admin/v1/partners/${partners['Mobi Ads']}`;
  const places = () => ({ 'project-id': String(projects.Shop), 'partner-id': String(partners['Mobi Ads']) });
  const range = 'from=2026-01-01&to=2026-01-01';
  const pixel = { method: 'GET', url: 'https://partner.example' };
  const requests: [permission: string, method: string, path: () => string, body?: object][] = [
    ['reports', 'GET', () => '/api/v1/campaigns'],
    ['reports', 'GET', () => `${project()}/apps`],
    ['links', 'POST', () => '/api/v1/create-campaign', { name: 'By a role' }],
    ['links', 'POST', () => `${project()}/campaigns/one/unpause`],
    ['spend', 'PUT', () => '/collect/v1/spend', { rows: [{ date: '2026-01-01', campaign: 'one', spend: 1 }] }],
    ['installs', 'GET', () => `/api/v1/export/installs?${range}`],
    ['installs', 'GET', () => '/api/v1/get-attribution-result?user_id=nobody'],
    ['settings', 'PUT', () => project(), { currency: 'USD' }],
    ['settings', 'PUT', () => `${project()}/partners/${partners['Mobi Ads']}`, { s2s_clicks: true }],
    ['keys', 'GET', () => `${project()}/keys`],
    ['keys', 'POST', () => `${project()}/keys`, { kind: 'app_key' }],
    ['erasure', 'GET', () => `${project()}/forgotten`],
    ['sql', 'GET', () => '/api/v1/schema'],
    ['installs', 'GET', () => '/api/v1/installs'],
    ['sql', 'POST', () => '/api/v1/sql', { query: 'SELECT 1' }],
    ['reports', 'GET', () => '/api/v1/links/one/preview'],
    ['status', 'GET', () => '/admin/v1/status'],
    ['members', 'GET', () => `/auth/v1/members?account_id=${accounts.Acme}`],
    ['audit-log', 'GET', () => `/auth/v1/audit-log?account_id=${accounts.Acme}`],
    ['partner', 'GET', () => `${partner()}/campaigns`],
    ['partner', 'POST', () => '/v1/validate/click?c=one'],
    ['partner-tokens', 'GET', () => `${partner()}/tokens`],
    ['partner', 'GET', () => `${partner()}/postbacks`],
    ['partner', 'POST', () => `${partner()}/postbacks/preview`, pixel],
    ['partner-postbacks', 'PUT', () => `${partner()}/postbacks/signup`, pixel],
    ['settings', 'GET', () => `${project()}/postback_overrides`],
    ['settings', 'PUT', () => `${project()}/postback_overrides/signup`, { enabled: false }],
    ['settings', 'POST', () => `${project()}/postback_overrides/preview`, pixel],
    ['settings', 'GET', () => `${project()}/webhooks`],
    ['partner-members', 'GET', () => `/auth/v1/members?partner_id=${partners['Mobi Ads']}`],
    ['installation', 'GET', () => '/admin/v1/ingest'],
    ['installation', 'GET', () => '/admin/v1/quarantine'],
    ['installation', 'PUT', () => '/admin/v1/workspace', {}],
    ['installation', 'GET', () => '/auth/v1/members'],
    ['installation', 'GET', () => '/metrics'],
  ];
  const MAY: Record<string, string[]> = {
    owner: [
      'reports',
      'links',
      'spend',
      'installs',
      'settings',
      'keys',
      'erasure',
      'sql',
      'members',
      'audit-log',
      'status',
    ],
    admin: ['reports', 'links', 'spend', 'installs', 'settings', 'keys', 'erasure', 'sql', 'members', 'status'],
    analyst: ['reports', 'links', 'spend', 'installs'],
    viewer: ['reports'],
    engineer: ['reports', 'installs', 'sql', 'status'],
    partner_admin: ['partner', 'partner-tokens', 'partner-postbacks', 'partner-members'],
    partner_viewer: ['partner'],
  };

  test.each([...ACCOUNT_ROLES, ...PARTNER_ROLES])('%s may what its role says, and nothing else', async (role) => {
    for (const [permission, method, path, body] of requests) {
      const { status } = await as(role).send(method, path(), body, places());
      const may = MAY[role]?.includes(permission);
      expect({ path: path(), method, refused: status === 403 || status === 404, status }).toEqual({
        path: path(),
        method,
        refused: !may,
        status: may ? (expect.any(Number) as number) : isOthers(role, permission) ? 404 : 403,
      });
    }
  });
  const isOthers = (role: string, permission: string) =>
    !['installation', 'status'].includes(permission) && role.startsWith('partner') !== permission.startsWith('partner');

  test('the operator may everything', async () => {
    for (const [, method, path, body] of requests) {
      const { status } = await operator.send(method, path(), body, places());
      expect([path(), status < 300]).toEqual([path(), true]);
    }
  });

  test('every operation of administration refuses who is nobody, and who may nothing there', async () => {
    const nobody = browserOf(service);
    const outsider = await personOf(service, operator, 'viewer', { account_id: accounts.Beta }, 'outsider@x.example');
    for (const [at, item] of Object.entries(paths)) {
      if (!at.startsWith('/admin/v1')) continue;
      const path = at.replace('{id}', String(at.includes('/partners/{id}') ? partners['Mobi Ads'] : projects.Shop));
      const filled = path.replace(/\{[^}]+\}/g, '1');
      for (const method of Object.keys(item)) {
        const body = ['post', 'put'].includes(method) ? {} : undefined;
        expect([filled, (await nobody.send(method.toUpperCase(), filled, body)).status]).toEqual([filled, 401]);
        const { status } = await outsider.send(method.toUpperCase(), filled, body);
        const isList = ['/admin/v1/accounts', '/admin/v1/partners', '/admin/v1/projects', '/admin/v1/exchange_rates'];
        if (!isList.includes(at)) expect([method, filled, [403, 404].includes(status)]).toEqual([method, filled, true]);
      }
    }
  });

  test("another account's things are not there", async () => {
    const owner = as('owner');
    const headers = { 'project-id': String(projects.Secret) };
    for (const [method, path, body] of [
      ['GET', '/api/v1/campaigns'],
      ['GET', `/admin/v1/projects/${projects.Secret}/apps`],
      ['GET', `/admin/v1/projects/${projects.Secret}/keys`],
      ['PUT', `/admin/v1/projects/${projects.Secret}`, { currency: 'EUR' }],
      ['GET', `/auth/v1/members?account_id=${accounts.Beta}`],
      ['GET', `/auth/v1/audit-log?account_id=${accounts.Beta}`],
      ['POST', '/auth/v1/invitations', { email: 'x@x.example', role: 'viewer', account_id: accounts.Beta }],
      ['GET', `/admin/v1/partners/${partners['Other Ads']}/tokens`],
    ] as const)
      expect([path, (await owner.send(method, path, body, headers)).status]).toEqual([path, 404]);
    const names = async (list: string) =>
      ((await owner.send('GET', `/admin/v1/${list}`)).body[list] as { name: string }[]).map(({ name }) => name);
    expect(await names('accounts')).toEqual(['Acme']);
    expect(await names('projects')).toEqual(['Shop']);
    const seen = (await as('partner_viewer').send('GET', '/admin/v1/partners')).body.partners as { name: string }[];
    expect(seen.map(({ name }) => name)).toEqual(['Mobi Ads']);
    expect((await as('partner_viewer').send('GET', '/admin/v1/projects')).body.projects).toEqual([]);
    const me = (await owner.send('GET', '/auth/v1/me')).body;
    expect(JSON.stringify(me)).not.toMatch(/Beta|Secret|Mobi/);
  });

  test('a request of a person names its project', async () => {
    expect(await as('viewer').send('GET', '/api/v1/campaigns')).toMatchObject({
      status: 400,
      body: { msg: 'project-id: this header must name a project' },
    });
    for (const id of ['0', '999', 'x', '1e1'])
      expect((await as('viewer').send('GET', '/api/v1/campaigns', undefined, { 'project-id': id })).status).toBe(404);
    const keyed = await service.request('/api/v1/campaigns', { headers: { 'service-key': SERVER_KEY } });
    expect(keyed.status).toBe(200);
  });
});

describe('members', () => {
  const membersOf = async (browser: Browser, query: string) =>
    (await browser.send('GET', `/auth/v1/members?${query}`)).body as {
      members: { id: number; email: string; role: string }[];
      invitations: { id: number; email: string }[];
    };
  const inAcme = () => `account_id=${accounts.Acme}`;

  test('an admin gives every role but that of an owner, and takes none from an owner', async () => {
    const admin = as('admin');
    const invite = (role: string) =>
      admin.send('POST', '/auth/v1/invitations', { email: 'new@x.example', role, account_id: accounts.Acme });
    expect((await invite('owner')).status).toBe(403);
    expect((await invite('operator')).status).toBe(400);
    expect((await invite('partner_admin')).status).toBe(400);
    expect((await invite('viewer')).status).toBe(201);
    const { members } = await membersOf(admin, inAcme());
    const owner = idIn(members, 'role', 'owner');
    const viewer = idIn(members, 'role', 'viewer');
    expect((await admin.send('DELETE', `/auth/v1/members/${owner}`)).status).toBe(403);
    expect((await admin.send('PUT', `/auth/v1/members/${viewer}/role`, { role: 'owner' })).status).toBe(403);
    expect((await as('viewer').send('DELETE', `/auth/v1/members/${viewer}`)).status).toBe(403);
    expect((await as('partner_admin').send('DELETE', `/auth/v1/members/${viewer}`)).status).toBe(404);
  });

  test('a role that changes counts from the next request on', async () => {
    const person = await personOf(service, as('owner'), 'viewer', { account_id: accounts.Acme }, 'moving@x.example');
    const keys = () => person.send('GET', `/admin/v1/projects/${projects.Shop}/keys`);
    expect((await keys()).status).toBe(403);
    const id = idIn((await membersOf(as('owner'), inAcme())).members, 'email', 'moving@x.example');
    expect((await as('owner').send('PUT', `/auth/v1/members/${id}/role`, { role: 'admin' })).status).toBe(204);
    expect((await keys()).status).toBe(200);
    expect((await as('owner').send('DELETE', `/auth/v1/members/${id}`)).status).toBe(204);
    expect((await keys()).status).toBe(404);
  });

  test('the last owner and the last operator stay', async () => {
    const { members } = await membersOf(as('owner'), inAcme());
    const id = idIn(members, 'role', 'owner');
    const expected = { status: 409, body: { msg: 'There must be at least one owner.' } };
    expect(await as('owner').send('DELETE', `/auth/v1/members/${id}`)).toMatchObject(expected);
    expect(await as('owner').send('PUT', `/auth/v1/members/${id}/role`, { role: 'viewer' })).toMatchObject(expected);
  });

  test('an invitation works once, can be withdrawn, and gives a role to who is there already', async () => {
    const owner = as('owner');
    const invited = { email: 'Twice@x.example', role: 'viewer', account_id: accounts.Acme };
    const first = (await owner.send('POST', '/auth/v1/invitations', invited)).body;
    const second = (await owner.send('POST', '/auth/v1/invitations', { ...invited, role: 'analyst' })).body;
    expect(second).toMatchObject({ email: 'twice@x.example', role: 'analyst', mailed: false });
    const look = (link: unknown) => browserOf(service).send('POST', '/auth/v1/links/look', { token: tokenOf(link) });
    expect((await look(first.link)).status).toBe(404);
    expect((await look(second.link)).body).toMatchObject({ kind: 'invitation', place: 'Acme', known: false });
    expect((await owner.send('DELETE', `/auth/v1/invitations/${Number(second.id)}`)).status).toBe(204);
    expect((await look(second.link)).status).toBe(404);

    const known = (
      await operator.send('POST', '/auth/v1/invitations', {
        email: 'owner@adtrail.example',
        role: 'viewer',
        account_id: accounts.Beta,
      })
    ).body;
    expect((await look(known.link)).body).toMatchObject({ known: true, email: 'owner@adtrail.example' });
    const follow = (password: string) =>
      browserOf(service).send('POST', '/auth/v1/links/follow', { token: tokenOf(known.link), password });
    expect((await follow('another password')).status).toBe(401);
    const me = (await follow(PASSWORD)).body;
    expect((me.accounts as { name: string; role: string }[]).map(({ name, role }) => [name, role])).toEqual([
      ['Acme', 'owner'],
      ['Beta', 'viewer'],
    ]);
    const again = { email: 'owner@adtrail.example', role: 'viewer', account_id: accounts.Acme };
    expect((await operator.send('POST', '/auth/v1/invitations', again)).status).toBe(409);
    const { members } = await membersOf(operator, `account_id=${accounts.Beta}`);
    const id = idIn(members, 'email', 'owner@adtrail.example');
    expect((await operator.send('DELETE', `/auth/v1/members/${id}`)).status).toBe(204);
  });

  test('a link sets a new password; an owner makes none for who is a member elsewhere', async () => {
    const person = await personOf(service, as('owner'), 'viewer', { account_id: accounts.Acme }, 'lost@x.example');
    const id = async () => idIn((await membersOf(as('owner'), inAcme())).members, 'email', 'lost@x.example');
    const make = async (browser: Browser) => browser.send('POST', `/auth/v1/members/${await id()}/password-link`);
    const { body } = await make(as('owner'));
    const fresh = browserOf(service);
    const followed = await fresh.send('POST', '/auth/v1/links/follow', {
      token: tokenOf(body.link),
      password: 'a password that is new',
    });
    expect(followed.status).toBe(200);
    expect((await person.send('GET', '/auth/v1/me')).status).toBe(401);
    await service.request('/auth/v1/links/look', { method: 'POST', body: '{}' });
    const invited = (
      await operator.send('POST', '/auth/v1/invitations', {
        email: 'lost@x.example',
        role: 'viewer',
        account_id: accounts.Beta,
      })
    ).body;
    await fresh.send('POST', '/auth/v1/links/follow', {
      token: tokenOf(invited.link),
      password: 'a password that is new',
    });
    expect((await make(as('owner'))).status).toBe(403);
    expect((await make(operator)).status).toBe(201);
  });
});

describe('the audit log', () => {
  const entriesOf = async (browser: Browser, query: string) =>
    (await browser.send('GET', `/auth/v1/audit-log?${query}`)).body as {
      entries: Record<string, unknown>[];
      next_before: number | null;
    };
  const inAcme = (more = '') => `account_id=${accounts.Acme}${more}`;

  test('says who changed what from where, before and after, whatever the way, and no secret', async () => {
    const path = `/admin/v1/projects/${projects.Shop}/partners/${partners['Mobi Ads']}`;
    await as('owner').send('PUT', path, { view_window_hours: 7 });
    await service.admin('PUT', path.slice('/admin/v1'.length), { view_window_hours: 9 });
    await service.request('/api/v1/campaigns/one', {
      method: 'PATCH',
      headers: { 'service-key': SERVER_KEY },
      body: JSON.stringify({ name: 'Uno' }),
    });
    const postgres = postgresOf(service);
    await postgres.rows("UPDATE accounts SET payment_link = 'https://pay.example' WHERE name = 'Acme'");
    await postgres.close();
    const { entries } = await entriesOf(as('owner'), inAcme('&limit=4'));
    expect(entries).toEqual([
      expect.objectContaining({ actor: 'database', subject: 'accounts', name: 'Acme', action: 'change' }),
      expect.objectContaining({
        actor: 'server_key',
        subject: 'campaigns',
        name: 'one',
        address: '127.0.0.1',
        before: { name: 'One' },
        after: { name: 'Uno' },
      }),
      expect.objectContaining({
        actor: 'admin_token',
        before: { view_window_hours: 7 },
        after: { view_window_hours: 9 },
      }),
      expect.objectContaining({
        actor: 'user',
        actor_name: 'owner',
        address: '127.0.0.1',
        subject: 'partner_switches',
        name: 'Mobi Ads',
        after: { view_window_hours: 7 },
      }),
    ]);
    await as('owner').send('POST', `/admin/v1/projects/${projects.Shop}/keys`, { kind: 'web_key' });
    const all = await entriesOf(operator, 'limit=1000');
    expect(all.entries.length).toBeGreaterThan(20);
    expect(JSON.stringify(all)).not.toMatch(/[0-9a-f]{64}|argon2|server-key-of|"sha256"|totp_secret/);
    expect(all.entries).toContainEqual(expect.objectContaining({ subject: 'memberships', action: 'create' }));
  });

  test('is read by owners and operators, of their account, page by page and filtered', async () => {
    expect((await as('admin').send('GET', `/auth/v1/audit-log?${inAcme()}`)).status).toBe(403);
    expect((await as('owner').send('GET', '/auth/v1/audit-log')).status).toBe(400);
    const first = await entriesOf(as('owner'), inAcme('&limit=3'));
    const second = await entriesOf(as('owner'), inAcme(`&limit=3&before=${first.next_before}`));
    const ids = [...first.entries, ...second.entries].map(({ id }) => id as number);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(6);
    const creations = await entriesOf(as('owner'), inAcme('&action=create&subject=campaigns'));
    expect(creations.entries.length).toBeGreaterThan(0);
    for (const entry of creations.entries) expect(entry).toMatchObject({ action: 'create', subject: 'campaigns' });
    for (const bad of ['action=x', 'limit=0', 'limit=1001', 'before=x', 'from=yesterday', 'actor=%00', 'subject=%00'])
      expect((await as('owner').send('GET', `/auth/v1/audit-log?${inAcme(`&${bad}`)}`)).status).toBe(400);
  });
});

test('the audit log is in ClickHouse too, for who sees the whole installation', async () => {
  const changed = `changed to ${Date.now()}`;
  await as('owner').send('PATCH', '/api/v1/campaigns/one', { name: changed }, { 'project-id': String(projects.Shop) });
  const [row] = await eventually('the change is in ClickHouse', async () => {
    const rows = await service.rows(
      `SELECT actor, actor_name, changed_project_id, project_id, action, name, after FROM analytics.audit_log
       WHERE subject = 'campaigns' AND JSONExtractString(after, 'name') = '${changed}'`,
    );
    return rows.length > 0 ? rows : undefined;
  });
  expect(row).toEqual({
    actor: 'user',
    actor_name: 'owner',
    changed_project_id: projects.Shop,
    project_id: 0,
    action: 'change',
    name: 'one',
    after: JSON.stringify({ name: changed }).replace(':', ': '),
  });
  const [{ copies } = { copies: 0 }] = await service.rows<{ copies: number }>(
    'SELECT toUInt32(max(times)) AS copies FROM (SELECT count() AS times FROM analytics.audit_log GROUP BY id)',
  );
  expect(copies).toBe(1);
  const columns = await service.rows<{ comment: string }>(
    "SELECT comment FROM system.columns WHERE database = 'analytics' AND table = 'audit_log' AND name != 'project_id'",
  );
  expect(columns.every(({ comment }) => comment !== '')).toBe(true);
});

test('what a person creates is created once with an Idempotency-Key, and nobody else gets the answer', async () => {
  const create = (role: string) =>
    as(role).send(
      'POST',
      '/api/v1/create-campaign',
      { name: 'Once' },
      { 'project-id': String(projects.Shop), 'Idempotency-Key': 'the-same' },
    );
  const [first, again, other] = [await create('owner'), await create('owner'), await create('admin')];
  const idOf = ({ body }: typeof first) => (body.data as { display_id: string }).display_id;
  expect(idOf(again)).toBe(idOf(first));
  expect(idOf(other)).not.toBe(idOf(first));
});
