/**
 * People: signing in, links, members, roles, and the audit log (docs/contract/people.md). What people may do how often
 * is in ./limits.test.ts.
 */
import { TOTP } from 'otpauth';
import { PERMISSIONS, type Role } from '../../../src/http/permissions';
import { paths } from '../../support/http/openapi';
import { ownNames } from '../../support/workspace/own-names';
import { readBrowser, readOperator, PASSWORD, findPerson, readToken, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const own = ownNames('people');
const SERVER_KEY = own('server-key');
const service = sharedService();
let operator: Browser;
let accounts: Record<string, number>;
let projects: Record<string, number>;
let partners: Record<string, number>;
const byRole: Record<string, Browser> = {};

const ACCOUNT_ROLES = ['owner', 'admin', 'analyst', 'viewer', 'engineer'];
const PARTNER_ROLES = ['partner_admin', 'partner_viewer'];

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Beta' }],
      partners: [{ name: 'Mobi Ads' }, { name: 'Other Ads' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['server-key'],
          domains: [{ name: 'go.acme.example', primary: true }, { name: 'old.acme.example' }],
          partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
          campaigns: [{ display_id: 'one', name: 'One', partner: 'Mobi Ads' }],
        },
        { name: 'Secret', account: 'Beta', timezone: 'UTC' },
      ],
    }),
  );
  operator = await readOperator(service, 'olga@people.example');
  const me = (await operator.send('GET', '/auth/v1/me')).body;
  const ids = (list: unknown) =>
    Object.fromEntries((list as { id: number; name: string }[]).map(({ id, name }) => [name.replace(own(''), ''), id]));
  [accounts, projects, partners] = [ids(me.accounts), ids(me.projects), ids(me.partners)];
  for (const role of ACCOUNT_ROLES) byRole[role] = await newPerson(role, { account_id: accounts.Acme });
  for (const role of PARTNER_ROLES) byRole[role] = await newPerson(role, { partner_id: partners['Mobi Ads'] });
});

const newPerson = (
  role: string,
  place: { account_id?: number; partner_id?: number },
  email = `${role}@people.example`,
) => findPerson(service, operator, role, place, email);

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
    const browser = readBrowser(service);
    const look = (one: string) => browser.send('POST', '/auth/v1/links/look', { token: readToken(one) });
    const answerTo = (one: string) => ({
      token: readToken(one),
      email: ' Second@People.example',
      name: ' Second ',
      password: PASSWORD,
    });
    const follow = (body: object) => browser.send('POST', '/auth/v1/links/follow', body);
    // Suites that run beside this one make such links too, and a new one replaces the one before.
    const { answer, followed } = await eventually('a link that stays the latest', async () => {
      const [replaced, { link }] = [await make(), await make()];
      expect((await look(replaced.link)).status).toBe(404);
      expect(link).toMatch(new RegExp(`^${service.url}/welcome#link_[A-Za-z0-9_-]{32}$`));
      const looked = await look(link);
      const answer = answerTo(link);
      const refused = [
        await follow({ ...answer, email: undefined }),
        await follow({ ...answer, name: undefined }),
        await follow({ ...answer, password: undefined }),
        await follow({ ...answer, password: 'short' }),
      ];
      const followed = await follow(answer);
      if (followed.status === 404) return undefined;
      expect(looked.body).toMatchObject({ kind: 'first', role: 'operator', email: null, known: false });
      expect(refused.map(({ status, body }) => [status, body.msg])).toEqual([
        [400, 'body: "email" is required'],
        [400, 'body: "name" is required'],
        [400, 'body: "password" is required'],
        [400, 'password: must NOT have fewer than 12 characters'],
      ]);
      return { answer, followed };
    });
    expect(followed.body).toMatchObject({
      user: { email: 'second@people.example', name: 'Second', second_factor: false },
      operator: true,
      permissions: ['installation'],
    });
    expect((await follow(answer)).status).toBe(404);
    const seen = (await browser.send('GET', '/admin/v1/accounts')).body.accounts as { name: string }[];
    expect(seen.map(({ name }) => name)).toEqual(expect.arrayContaining([own('Acme'), own('Beta')]));
  });

  test('has a cookie that scripts and other sites do not get', async () => {
    const browser = readBrowser(service);
    const { response } = await browser.send('POST', '/auth/v1/sign-in', {
      email: 'olga@people.example',
      password: PASSWORD,
    });
    const plain =
      /^adtrail_(session=session_[\w-]{32}|known=[0-9a-f]{64}); path=\/; expires=[^;]+; samesite=lax; httponly$/;
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(plain);
    const overTls = { 'X-Forwarded-Proto': 'https' };
    const signIn = (origin: string) =>
      service.request('/auth/v1/sign-in', {
        method: 'POST',
        headers: { Origin: origin, ...overTls },
        body: JSON.stringify({ email: 'olga@people.example', password: PASSWORD }),
      });
    // The scheme and the port are part of the address: another service may have the same host.
    const own = service.url.replace('http:', 'https:');
    for (const other of [service.url, own.replace(/:\d+$/, ':1'), own.replace(/:\d+$/, ''), `${own}.evil.example`])
      expect([other, (await signIn(other)).status]).toEqual([other, 403]);
    const cookies = (await signIn(own)).headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies)
      expect(cookie).toMatch(
        /^__Host-adtrail_(session|known)=\w[^;]+; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/,
      );
    const [session = ''] = cookies.find((one) => one.startsWith('__Host-adtrail_session'))?.split(';') ?? [];
    const ask = async (Cookie: string) =>
      (await service.request('/auth/v1/me', { headers: { Cookie, ...overTls } })).status;
    // Behind TLS only the name counts that no neighbouring host can set.
    expect([await ask(session), await ask(session.replace('__Host-', ''))]).toEqual([200, 401]);
  });
});

describe('signing in', () => {
  test('tells nobody whether an account exists', async () => {
    const times = [];
    for (const email of ['olga@people.example', 'nobody@people.example']) {
      const browser = readBrowser(service);
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

  test('ends with signing out; a session can be ended from another one, and all at once', async () => {
    const sign = async () => {
      const browser = readBrowser(service);
      await browser.send('POST', '/auth/v1/sign-in', { email: 'second@people.example', password: PASSWORD });
      return browser;
    };
    const [one, two, three] = [await sign(), await sign(), await sign()];
    const stolen = readBrowser(service);
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
    const browser = readBrowser(service);
    await browser.send('POST', '/auth/v1/sign-in', { email: 'second@people.example', password: PASSWORD });
    const { sessions } = (await browser.send('GET', '/auth/v1/sessions')).body as {
      sessions: { id: number; current: boolean }[];
    };
    const id = sessions.find(({ current }) => current)?.id;
    const postgres = readPostgres(service);
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
    const person = await newPerson('viewer', { account_id: accounts.Beta }, 'factor@x.people.example');
    const { secret, uri } = (await person.send('POST', '/auth/v1/me/second-factor')).body as Record<string, string>;
    expect(uri).toMatch(/^otpauth:\/\/totp\/adtrail:factor%40x\.people\.example\?/);
    const codeAt = (step: number) =>
      new TOTP({ secret: secret as string }).generate({ timestamp: Date.now() + step * 30_000 });
    const confirm = (code: string) =>
      person.send('POST', '/auth/v1/me/second-factor/confirm', { secret, code, password: PASSWORD });
    expect((await confirm('000000')).status).toBe(400);
    const { recovery_codes } = (await confirm(codeAt(0))).body as { recovery_codes: string[] };
    expect(recovery_codes).toHaveLength(10);
    const sign = (code?: string) =>
      readBrowser(service).send('POST', '/auth/v1/sign-in', {
        email: 'factor@x.people.example',
        password: PASSWORD,
        code,
      });
    expect(await sign()).toMatchObject({ status: 401, body: { second_factor: true } });
    expect(await sign('000000')).toMatchObject({ status: 401, body: { second_factor: true } });
    // The code that has been used does not work again; the next one does, once.
    const next = codeAt(1);
    expect((await sign(next)).status).toBe(200);
    expect((await sign(next)).status).toBe(401);
    expect((await sign(recovery_codes[3])).status).toBe(200);
    expect((await sign(recovery_codes[3])).status).toBe(401);
    const remove = (password?: string, code?: string) =>
      person.send('POST', '/auth/v1/me/second-factor/remove', { password, code });
    expect((await remove('wrong password', recovery_codes[4])).status).toBe(403);
    expect((await remove(undefined, recovery_codes[4])).status).toBe(403);
    expect(await remove(PASSWORD)).toMatchObject({ status: 401, body: { second_factor: true } });
    expect((await remove(PASSWORD, recovery_codes[3])).status).toBe(401);
    expect((await remove(PASSWORD, recovery_codes[4])).status).toBe(204);
    expect((await sign()).status).toBe(200);
  });

  test('a session alone replaces no second factor, and the one that does ends all others', async () => {
    const email = 'replaced@x.people.example';
    const person = await newPerson('viewer', { account_id: accounts.Beta }, email);
    const offer = async () => (await person.send('POST', '/auth/v1/me/second-factor')).body.secret as string;
    const makeCode = (secret: string, step = 0) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 });
    const confirm = (secret: string, more: object) =>
      person.send('POST', '/auth/v1/me/second-factor/confirm', { secret, code: makeCode(secret), ...more });
    const first = await offer();
    for (const wrong of [{}, { password: 'wrong password' }]) expect((await confirm(first, wrong)).status).toBe(403);
    const other = readBrowser(service);
    await other.send('POST', '/auth/v1/sign-in', { email, password: PASSWORD });
    const { body } = await confirm(first, { password: PASSWORD });
    const recovery = body.recovery_codes as string[];
    const isIn = async (browser: Browser) => (await browser.send('GET', '/auth/v1/me')).status === 200;
    expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
    // The thief of the session puts a factor of his own in the place of the one that there is.
    const second = await offer();
    expect((await confirm(second, { current_code: recovery[0] })).status).toBe(403);
    expect(await confirm(second, { password: PASSWORD })).toMatchObject({ status: 401, body: { second_factor: true } });
    expect((await confirm(second, { password: PASSWORD, current_code: makeCode(second) })).status).toBe(401);
    expect((await confirm(second, { password: PASSWORD, current_code: recovery[0] })).status).toBe(200);
    const codes = [makeCode(first, 1), makeCode(second, 1)];
    const sign = (code?: string) =>
      readBrowser(service).send('POST', '/auth/v1/sign-in', { email, password: PASSWORD, code });
    expect([(await sign(codes[0])).status, (await sign(codes[1])).status]).toEqual([401, 200]);
  });

  test('ends 90 days after its beginning, however much it is used', async () => {
    const email = 'long@x.people.example';
    const browser = await newPerson('viewer', { account_id: accounts.Beta }, email);
    const postgres = readPostgres(service);
    const age = (days: number) =>
      postgres.rows(
        `UPDATE sessions SET created_at = now() - $2 * interval '1 day', last_seen_at = now() - interval '1 day'
         FROM users WHERE users.id = sessions.user_id AND users.email = $1
         RETURNING extract(day FROM expires_at - now())::integer AS days`,
        [email, days],
      );
    await age(80);
    expect((await browser.send('GET', '/auth/v1/me')).status).toBe(200);
    expect(await age(91)).toEqual([{ days: 9 }]);
    expect((await browser.send('GET', '/auth/v1/me')).status).toBe(401);
    await postgres.close();
  });

  test('a password is changed by who knows it, and all other sessions end', async () => {
    const person = await newPerson('viewer', { account_id: accounts.Beta }, 'changing@x.people.example');
    const other = readBrowser(service);
    const credentials = { email: 'changing@x.people.example', password: PASSWORD };
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
      ['POST', '/auth/v1/sign-in', { email: 'owner@people.example', password: PASSWORD }],
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
    ['connections', 'GET', () => '/api/v1/exports'],
    ['connections', 'GET', () => `${project()}/readers`],
    ['account', 'PUT', () => `/admin/v1/accounts/${accounts.Acme}`, { analyst_sql: false }],
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
  const may = (role: string, permission: string) =>
    (PERMISSIONS[role as Role] as readonly string[]).includes(permission);

  test.each([...ACCOUNT_ROLES, ...PARTNER_ROLES])('%s may what its role says, and nothing else', async (role) => {
    for (const [permission, method, path, body] of requests) {
      const { status } = await as(role).send(method, path(), body, places());
      const isAllowed = may(role, permission);
      expect({ path: path(), method, refused: status === 403 || status === 404, status }).toEqual({
        path: path(),
        method,
        refused: !isAllowed,
        status: isAllowed ? (expect.any(Number) as number) : isOthers(role, permission) ? 404 : 403,
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

  // Who is nobody is refused there too: openapi.test.ts.
  test('every operation of administration refuses who may nothing there', async () => {
    const outsider = await newPerson('viewer', { account_id: accounts.Beta }, 'outsider@x.people.example');
    const lists = ['accounts', 'partners', 'projects', 'exchange_rates'].map((name) => `/admin/v1/${name}`);
    for (const [at, item] of Object.entries(paths)) {
      if (!at.startsWith('/admin/v1') || lists.includes(at)) continue;
      const path = at.replace('{id}', String(at.includes('/partners/{id}') ? partners['Mobi Ads'] : projects.Shop));
      const filled = path.replace(/\{[^}]+\}/g, '1');
      for (const method of Object.keys(item)) {
        const body = ['post', 'put'].includes(method) ? {} : undefined;
        const { status } = await outsider.send(method.toUpperCase(), filled, body);
        expect([method, filled, [403, 404].includes(status)]).toEqual([method, filled, true]);
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
      ['POST', '/auth/v1/invitations', { email: 'x@x.people.example', role: 'viewer', account_id: accounts.Beta }],
      ['GET', `/admin/v1/partners/${partners['Other Ads']}/tokens`],
    ] as const)
      expect([path, (await owner.send(method, path, body, headers)).status]).toEqual([path, 404]);
    const names = async (list: string) =>
      ((await owner.send('GET', `/admin/v1/${list}`)).body[list] as { name: string }[]).map(({ name }) => name);
    expect(await names('accounts')).toEqual([own('Acme')]);
    expect(await names('projects')).toEqual([own('Shop')]);
    const seen = (await as('partner_viewer').send('GET', '/admin/v1/partners')).body.partners as { name: string }[];
    expect(seen.map(({ name }) => name)).toEqual([own('Mobi Ads')]);
    expect((await as('partner_viewer').send('GET', '/admin/v1/projects')).body.projects).toEqual([]);
    const me = (await owner.send('GET', '/auth/v1/me')).body;
    expect(JSON.stringify(me)).not.toMatch(/Beta|Secret|Mobi/);
  });

  test('a request of a person names its project', async () => {
    expect(await as('viewer').send('GET', '/api/v1/campaigns')).toMatchObject({
      status: 400,
      body: { msg: 'project-id: this header must name a project' },
    });
    for (const id of ['0', '999999999', 'x', '1e1'])
      expect((await as('viewer').send('GET', '/api/v1/campaigns', undefined, { 'project-id': id })).status).toBe(404);
    const keyed = await service.request('/api/v1/campaigns', { headers: { 'service-key': SERVER_KEY } });
    expect(keyed.status).toBe(200);
  });
});

describe('members', () => {
  const readMembers = async (browser: Browser, query: string) =>
    (await browser.send('GET', `/auth/v1/members?${query}`)).body as {
      members: { id: number; email: string; role: string }[];
      invitations: { id: number; email: string }[];
    };
  const inAcme = () => `account_id=${accounts.Acme}`;

  test('an admin gives every role but that of an owner, and takes none from an owner', async () => {
    const admin = as('admin');
    const invite = (role: string) =>
      admin.send('POST', '/auth/v1/invitations', { email: 'new@x.people.example', role, account_id: accounts.Acme });
    expect((await invite('owner')).status).toBe(403);
    expect((await invite('operator')).status).toBe(400);
    expect((await invite('partner_admin')).status).toBe(400);
    expect((await invite('viewer')).status).toBe(201);
    const { members } = await readMembers(admin, inAcme());
    const owner = idIn(members, 'role', 'owner');
    const viewer = idIn(members, 'role', 'viewer');
    expect((await admin.send('DELETE', `/auth/v1/members/${owner}`)).status).toBe(403);
    expect((await admin.send('PUT', `/auth/v1/members/${viewer}/role`, { role: 'owner' })).status).toBe(403);
    expect((await as('viewer').send('DELETE', `/auth/v1/members/${viewer}`)).status).toBe(403);
    expect((await as('partner_admin').send('DELETE', `/auth/v1/members/${viewer}`)).status).toBe(404);
  });

  test('a role that changes counts from the next request on', async () => {
    const person = await findPerson(
      service,
      as('owner'),
      'viewer',
      { account_id: accounts.Acme },
      'moving@x.people.example',
    );
    const keys = () => person.send('GET', `/admin/v1/projects/${projects.Shop}/keys`);
    expect((await keys()).status).toBe(403);
    const id = idIn((await readMembers(as('owner'), inAcme())).members, 'email', 'moving@x.people.example');
    expect((await as('owner').send('PUT', `/auth/v1/members/${id}/role`, { role: 'admin' })).status).toBe(204);
    expect((await keys()).status).toBe(200);
    expect((await as('owner').send('DELETE', `/auth/v1/members/${id}`)).status).toBe(204);
    expect((await keys()).status).toBe(404);
  });

  test('the last owner and the last operator stay', async () => {
    const { members } = await readMembers(as('owner'), inAcme());
    const id = idIn(members, 'role', 'owner');
    const expected = { status: 409, body: { msg: 'There must be at least one owner.' } };
    expect(await as('owner').send('DELETE', `/auth/v1/members/${id}`)).toMatchObject(expected);
    expect(await as('owner').send('PUT', `/auth/v1/members/${id}/role`, { role: 'viewer' })).toMatchObject(expected);
  });

  test('an invitation works once, can be withdrawn, and gives a role to who is there already', async () => {
    const owner = as('owner');
    const invited = { email: 'Twice@x.people.example', role: 'viewer', account_id: accounts.Acme };
    const first = (await owner.send('POST', '/auth/v1/invitations', invited)).body;
    const second = (await owner.send('POST', '/auth/v1/invitations', { ...invited, role: 'analyst' })).body;
    expect(second).toMatchObject({ email: 'twice@x.people.example', role: 'analyst', mailed: false });
    const look = (link: unknown) =>
      readBrowser(service).send('POST', '/auth/v1/links/look', { token: readToken(link) });
    expect((await look(first.link)).status).toBe(404);
    expect((await look(second.link)).body).toMatchObject({ kind: 'invitation', place: own('Acme'), known: false });
    expect((await owner.send('DELETE', `/auth/v1/invitations/${Number(second.id)}`)).status).toBe(204);
    expect((await look(second.link)).status).toBe(404);

    const known = (
      await operator.send('POST', '/auth/v1/invitations', {
        email: 'owner@people.example',
        role: 'viewer',
        account_id: accounts.Beta,
      })
    ).body;
    expect((await look(known.link)).body).toMatchObject({ known: true, email: 'owner@people.example' });
    const follow = (password: string) =>
      readBrowser(service).send('POST', '/auth/v1/links/follow', { token: readToken(known.link), password });
    expect((await follow('another password')).status).toBe(401);
    const me = (await follow(PASSWORD)).body;
    expect((me.accounts as { name: string; role: string }[]).map(({ name, role }) => [name, role])).toEqual([
      [own('Acme'), 'owner'],
      [own('Beta'), 'viewer'],
    ]);
    const again = { email: 'owner@people.example', role: 'viewer', account_id: accounts.Acme };
    expect((await operator.send('POST', '/auth/v1/invitations', again)).status).toBe(409);
    const { members } = await readMembers(operator, `account_id=${accounts.Beta}`);
    const id = idIn(members, 'email', 'owner@people.example');
    expect((await operator.send('DELETE', `/auth/v1/members/${id}`)).status).toBe(204);
  });

  test('a link sets a new password; an owner makes none for who is a member elsewhere', async () => {
    const person = await findPerson(
      service,
      as('owner'),
      'viewer',
      { account_id: accounts.Acme },
      'lost@x.people.example',
    );
    const id = async () => idIn((await readMembers(as('owner'), inAcme())).members, 'email', 'lost@x.people.example');
    const make = async (browser: Browser) => browser.send('POST', `/auth/v1/members/${await id()}/password-link`);
    const { body } = await make(as('owner'));
    const fresh = readBrowser(service);
    const followed = await fresh.send('POST', '/auth/v1/links/follow', {
      token: readToken(body.link),
      password: 'a password that is new',
    });
    expect(followed.status).toBe(200);
    expect((await person.send('GET', '/auth/v1/me')).status).toBe(401);
    await service.request('/auth/v1/links/look', { method: 'POST', body: '{}' });
    const invited = (
      await operator.send('POST', '/auth/v1/invitations', {
        email: 'lost@x.people.example',
        role: 'viewer',
        account_id: accounts.Beta,
      })
    ).body;
    await fresh.send('POST', '/auth/v1/links/follow', {
      token: readToken(invited.link),
      password: 'a password that is new',
    });
    expect((await make(as('owner'))).status).toBe(403);
    expect((await make(operator)).status).toBe(201);
  });
});

describe('a link is judged when it is used', () => {
  const OTHER = 'a password of somebody else';
  const send = async (browser: Browser, method: string, path: string, body?: object) => {
    const answer = await browser.send(method, path, body);
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
    return answer.body;
  };
  const memberId = async (account: number | undefined, email: string) => {
    const place = account === undefined ? '' : `?account_id=${account}`;
    return idIn((await send(operator, 'GET', `/auth/v1/members${place}`)).members, 'email', email);
  };
  const invite = async (inviter: Browser, email: string, role: string, place: object = { account_id: accounts.Acme }) =>
    readToken((await send(inviter, 'POST', '/auth/v1/invitations', { email, role, ...place })).link);
  const passwordLink = async (maker: Browser, email: string) => {
    const id = await memberId(accounts.Acme, email);
    return readToken((await send(maker, 'POST', `/auth/v1/members/${id}/password-link`)).link);
  };
  const follow = (token: string, password = OTHER) =>
    readBrowser(service).send('POST', '/auth/v1/links/follow', { token, name: 'Somebody', password });
  const setRole = async (account: number | undefined, email: string, role: string) =>
    send(operator, 'PUT', `/auth/v1/members/${await memberId(account, email)}/role`, { role });
  const remove = async (account: number | undefined, email: string) =>
    send(operator, 'DELETE', `/auth/v1/members/${await memberId(account, email)}`);
  const joinBeta = async (email: string) =>
    expect((await follow(await invite(operator, email, 'owner', { account_id: accounts.Beta }), PASSWORD)).status).toBe(
      200,
    );
  const makeOperator = async (email: string) =>
    expect((await follow(await invite(operator, email, 'operator', {}), PASSWORD)).status).toBe(200);

  let count = 0;
  /** An admin and a viewer of Acme, each there for one test. */
  async function pair() {
    count += 1;
    const [maker, target] = [`maker-${count}@judged.example`, `target-${count}@judged.example`];
    return {
      maker,
      target,
      admin: await newPerson('admin', { account_id: accounts.Acme }, maker),
      viewer: await newPerson('viewer', { account_id: accounts.Acme }, target),
    };
  }

  test.each<[string, (maker: string, target: string) => Promise<unknown>]>([
    ['its person becomes owner of another account', (_maker, target) => joinBeta(target)],
    ['its person becomes operator', (_maker, target) => makeOperator(target)],
    ['its person gets a role that its maker cannot give', (_maker, target) => setRole(accounts.Acme, target, 'owner')],
    ['its person gets another role', (_maker, target) => setRole(accounts.Acme, target, 'analyst')],
    ['its person leaves', (_maker, target) => remove(accounts.Acme, target)],
    ['its maker leaves', (maker) => remove(accounts.Acme, maker)],
    ['its maker may not manage members any more', (maker) => setRole(accounts.Acme, maker, 'viewer')],
  ])('for a password: it ends when %s', async (_what, happen) => {
    const { maker, target, admin } = await pair();
    const token = await passwordLink(admin, target);
    const sound = await passwordLink(operator, target);
    expect((await follow(token)).status).toBe(404);
    const again = await passwordLink(admin, target);
    expect((await follow(sound)).status).toBe(404);
    await happen(maker, target);
    expect((await readBrowser(service).send('POST', '/auth/v1/links/look', { token: again })).status).toBe(404);
    expect((await follow(again)).status).toBe(404);
    const signIn = { email: target, password: PASSWORD };
    expect((await readBrowser(service).send('POST', '/auth/v1/sign-in', signIn)).status).toBe(200);
  });

  test.each<[string, (maker: string) => Promise<unknown>]>([
    ['leaves', (maker) => remove(accounts.Acme, maker)],
    ['may not give its role any more', (maker) => setRole(accounts.Acme, maker, 'analyst')],
  ])('an invitation ends, and is not listed, when its maker %s', async (_what, happen) => {
    const { maker, admin } = await pair();
    const email = `invited-by-${maker}`;
    const token = await invite(admin, email, 'engineer');
    await happen(maker);
    expect((await follow(token)).status).toBe(404);
    const { invitations } = await send(operator, 'GET', `/auth/v1/members?account_id=${accounts.Acme}`);
    expect(idIn(invitations, 'email', email)).toBeUndefined();
  });

  test('what a maker may still make stays, and a row that was changed by hand counts too', async () => {
    const { maker, target, admin } = await pair();
    await setRole(accounts.Acme, maker, 'owner');
    const token = await invite(admin, `viewer-of-${maker}`, 'viewer');
    const owner = await invite(admin, `owner-of-${maker}`, 'owner');
    const password = await passwordLink(admin, target);
    await setRole(accounts.Acme, maker, 'admin');
    expect([(await follow(token)).status, (await follow(owner)).status]).toEqual([200, 404]);
    const postgres = readPostgres(service);
    const set = (role: string) =>
      postgres.rows(
        'UPDATE memberships SET role = $2 FROM users WHERE users.id = memberships.user_id AND users.email = $1',
        [maker, role],
      );
    await set('viewer');
    expect((await follow(password)).status).toBe(404);
    await set('admin');
    await postgres.close();
    expect((await follow(password)).status).toBe(200);
  });

  test('of uses at once one happens, and its person is not another one meanwhile', async () => {
    const { target, admin } = await pair();
    const token = await passwordLink(admin, target);
    const uses = await Promise.all(Array.from({ length: 6 }, (_, n) => follow(token, `${OTHER} ${n}`)));
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    const invited = `once-${target}`;
    const invitation = await invite(admin, invited, 'viewer');
    const follows = await Promise.all(Array.from({ length: 6 }, () => follow(invitation)));
    expect(follows.filter(({ status }) => status === 200)).toHaveLength(1);
    // Whichever comes first: nobody who has the link of Acme's admin is in Beta with the password of that link.
    for (let round = 0; round < 4; round += 1) {
      const one = await pair();
      const [link, beta] = [
        await passwordLink(one.admin, one.target),
        await invite(operator, one.target, 'owner', { account_id: accounts.Beta }),
      ];
      const [byLink, joined] = await Promise.all([follow(link), follow(beta, PASSWORD)]);
      expect([byLink.status, joined.status].filter((status) => status === 200)).toHaveLength(1);
    }
  });

  test('it and its use are in the audit log of the account, with its maker', async () => {
    const { target, admin, maker } = await pair();
    await send(admin, 'PUT', '/auth/v1/me/name', { name: `Name of ${maker}` });
    const token = await passwordLink(admin, target);
    expect((await follow(token)).status).toBe(200);
    const query = `account_id=${accounts.Acme}&subject=sign_in_links&limit=2`;
    const { entries } = await send(as('owner'), 'GET', `/auth/v1/audit-log?${query}`);
    const common = { actor: 'user', actor_name: `Name of ${maker}`, subject: 'sign_in_links', name: target };
    expect(entries).toEqual([
      expect.objectContaining({
        ...common,
        action: 'change',
        address: '127.0.0.1',
        after: { used_at: expect.any(String) as string, followed_at: expect.any(String) as string },
      }),
      expect.objectContaining({ ...common, action: 'create' }),
    ]);
    // A part of the name finds it, in any case; another project's entries are none of it.
    const found = (more: string) => send(as('owner'), 'GET', `/auth/v1/audit-log?${query}${more}`);
    expect((await found(`&actor=${encodeURIComponent(`name OF ${maker}`)}`)).entries).toEqual(entries);
    expect((await found('&project_id=999999')).entries).toEqual([]);
    // What it did to the person is its maker's doing too.
    const all = (await send(operator, 'GET', '/auth/v1/audit-log?subject=users&limit=100')).entries as object[];
    expect(all).toContainEqual(expect.objectContaining({ actor_name: `Name of ${maker}`, name: target }));
    const withdrawn = await send(admin, 'POST', '/auth/v1/invitations', {
      email: `gone-${target}`,
      role: 'viewer',
      account_id: accounts.Acme,
    });
    await send(admin, 'DELETE', `/auth/v1/invitations/${Number(withdrawn.id)}`);
    const latest = await send(as('owner'), 'GET', `/auth/v1/audit-log?${query}`);
    expect((latest.entries as object[])[0]).toMatchObject({ ...common, name: `gone-${target}`, action: 'change' });
    expect(JSON.stringify(latest)).not.toMatch(/[0-9a-f]{64}|link_/);
  });
});

describe('the SQL users that a member has made', () => {
  const reads = async ({ user, password }: Record<string, unknown>) => {
    const headers = { 'X-ClickHouse-User': String(user), 'X-ClickHouse-Key': String(password) };
    return (await fetch(`${service.clickhouseUrl}/?query=SELECT+1`, { headers })).status === 200;
  };
  const readersPath = (project = projects.Shop) => `/admin/v1/projects/${project}/readers`;
  const makeAs = async (email: string, role = 'engineer', account = accounts.Acme) => {
    const person = await newPerson(role, { account_id: account }, email);
    const { members } = (await operator.send('GET', `/auth/v1/members?account_id=${account}`)).body;
    return { person, id: idIn(members, 'email', email) };
  };

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['leaves', (id) => operator.send('DELETE', `/auth/v1/members/${id}`)],
    ['may ask no SQL any more', (id) => operator.send('PUT', `/auth/v1/members/${id}/role`, { role: 'analyst' })],
  ])('end when the member %s, and only those', async (what, happen) => {
    const { person, id } = await makeAs(`reader-${what.length}@readers.example`);
    const mine = (await person.send('POST', readersPath())).body;
    const others = (await as('engineer').send('POST', readersPath())).body;
    expect([await reads(mine), await reads(others)]).toEqual([true, true]);
    expect(await happen(id)).toMatchObject({ status: 204 });
    expect([await reads(mine), await reads(others)]).toEqual([false, true]);
    const listed = (await operator.send('GET', readersPath())).body.readers as { user: string }[];
    expect(listed.map(({ user }) => user)).toContain(others.user);
    expect(listed.map(({ user }) => user)).not.toContain(mine.user);
    const log = await operator.send('GET', '/auth/v1/audit-log?subject=project_readers&limit=100');
    expect(log.body.entries).toContainEqual(expect.objectContaining({ name: mine.user, action: 'change' }));
  });

  test('of a suspended account do not read, and do again when it pays', async () => {
    const { person } = await makeAs('reader@suspended.example', 'engineer', accounts.Beta);
    const path = readersPath(projects.Secret);
    const made = (await person.send('POST', path)).body;
    const byToken = (await service.admin('POST', path.slice('/admin/v1'.length))).body;
    const elsewhere = (await as('engineer').send('POST', readersPath())).body;
    const createdAt = async () => {
      const { readers } = (await person.send('GET', path)).body as { readers: { user: string; created_at: string }[] };
      return readers.find(({ user }) => user === made.user)?.created_at;
    };
    const since = await createdAt();
    const setBilling = (billing_status: string) => service.apply({ accounts: [{ name: own('Beta'), billing_status }] });
    const until = async (expected: boolean) =>
      eventually(`the readers read: ${expected}`, async () =>
        (await reads(made)) === expected && (await reads(byToken)) === expected ? true : undefined,
      );
    await setBilling('suspended');
    await until(false);
    expect(await reads((await person.send('POST', path)).body)).toBe(false);
    expect(await reads(elsewhere)).toBe(true);
    await setBilling('active');
    await until(true);
    expect(await createdAt()).toBe(since);
  });
});

describe('what people write to others', () => {
  const invited = (email: unknown) => ({ email, role: 'viewer', account_id: accounts.Acme });

  // Which addresses and names are good: test/unit/people/people.test.ts and text.test.ts.
  test('goes to one address, and has names of one line', async () => {
    const admin = as('admin');
    const two = await admin.send('POST', '/auth/v1/invitations', invited('a@x.people.example,b@y.example'));
    expect([two.status, two.body.msg]).toEqual([400, 'email: must match format "address"']);
    for (const name of ['Ann\nWin money', 'A\u202EB', ' \t ']) {
      const { status, body } = await admin.send('PUT', '/auth/v1/me/name', { name });
      expect([status, body.msg]).toEqual([400, 'name: must match format "one-line"']);
      const { link } = (await admin.send('POST', '/auth/v1/invitations', invited('named@x.people.example'))).body;
      const answer = { token: readToken(link), name, password: PASSWORD };
      expect((await readBrowser(service).send('POST', '/auth/v1/links/follow', answer)).status).toBe(400);
    }
    for (const name of ['Zoë O’Neil-Smith', 'مریم\u200cها', 'admin'])
      expect((await admin.send('PUT', '/auth/v1/me/name', { name })).body.user).toMatchObject({ name });
  });
});

describe('the audit log', () => {
  const readEntries = async (browser: Browser, query: string) =>
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
    const postgres = readPostgres(service);
    await postgres.rows("UPDATE accounts SET payment_link = 'https://pay.example' WHERE name = $1", [own('Acme')]);
    await postgres.close();
    const { entries } = await readEntries(as('owner'), inAcme('&limit=4'));
    expect(entries).toEqual([
      expect.objectContaining({ actor: 'database', subject: 'accounts', name: own('Acme'), action: 'change' }),
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
        name: own('Mobi Ads'),
        after: { view_window_hours: 7 },
      }),
    ]);
    await as('owner').send('POST', `/admin/v1/projects/${projects.Shop}/keys`, { kind: 'web_key' });
    const logs = [
      await readEntries(as('owner'), inAcme('&limit=1000')),
      await readEntries(operator, 'subject=users&limit=1000'),
    ];
    expect(logs[0]?.entries.length).toBeGreaterThan(20);
    expect(JSON.stringify(logs)).not.toMatch(/[0-9a-f]{64}|argon2|people-server-key|"sha256"|totp_secret/);
    expect(logs[0]?.entries).toContainEqual(expect.objectContaining({ subject: 'memberships', action: 'create' }));
  });

  test('is read by owners and operators, of their account, page by page and filtered', async () => {
    expect((await as('admin').send('GET', `/auth/v1/audit-log?${inAcme()}`)).status).toBe(403);
    expect((await as('owner').send('GET', '/auth/v1/audit-log')).status).toBe(400);
    const first = await readEntries(as('owner'), inAcme('&limit=3'));
    const second = await readEntries(as('owner'), inAcme(`&limit=3&before=${first.next_before}`));
    const ids = [...first.entries, ...second.entries].map(({ id }) => id as number);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(6);
    const creations = await readEntries(as('owner'), inAcme('&action=create&subject=campaigns'));
    expect(creations.entries.length).toBeGreaterThan(0);
    for (const entry of creations.entries) expect(entry).toMatchObject({ action: 'create', subject: 'campaigns' });
    for (const bad of ['action=x', 'actor=%00'])
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
    `SELECT toUInt32(max(times)) AS copies
     FROM (SELECT count() AS times FROM analytics.audit_log WHERE changed_project_id = ${projects.Shop} GROUP BY id)`,
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
  const readId = ({ body }: typeof first) => (body.data as { display_id: string }).display_id;
  expect(readId(again)).toBe(readId(first));
  expect(readId(other)).not.toBe(readId(first));
});
