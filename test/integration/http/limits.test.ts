/**
 * Limits and quotas as one process counts them: of campaigns, keys, source addresses, links, people, and of whoever
 * guesses (docs/contract/running.md). How they are counted is in test/unit/http/limits.test.ts, what comes before
 * them in test/unit/s2s/s2s-rejections.test.ts and test/unit/reports/reporting-guards.test.ts; two workers count
 * together in test/integration/operations/workers.test.ts, two processes with one Redis in
 * test/resilience/operations/redis-kills.test.ts.
 */
import fs from 'node:fs';
import path from 'node:path';
import { TOTP } from 'otpauth';
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { openLink } from '../../support/links/links';
import { click, readCount, expectOnlyLimited, limitedWorkspace, readStatuses, times } from '../../support/http/limits';
import { ownNames } from '../../support/workspace/own-names';
import { readBrowser, readOperator, PASSWORD, findPerson, readToken, type Browser } from '../../support/people/person';
import { ask as answered, postQuery } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN, temporaryFolder, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';
import { collect as collectWeb, reportGiven } from '../../support/collect/web';

const LIMITED = { msg: 'Rate limit exceeded. Please try again later.', status: 429 };
/** So long that no test outlives a window. */
const LONG = '90000s';
const own = ownNames('limits');
const DOMAIN = own('go.limited.example');
const folder = temporaryFolder();
const ranges = path.join(folder, 'ranges');

const shared = sharedService();
let service: RunningService;
beforeAll(async () => {
  fs.writeFileSync(ranges, '198.51.100.64/26\n');
  service = await startBeside(shared, {
    TRUST_PROXY: '1',
    DATACENTER_RANGES: ranges,
    QUOTA_COLLECT: '30,14,5',
    LIMIT_S2S_CAMPAIGN: `20/${LONG}`,
    LIMIT_VALIDATE: `4/${LONG}`,
    LIMIT_IP: `30/${LONG}`,
    LIMIT_DATA: `5/${LONG}`,
    LIMIT_MANAGEMENT: `3/${LONG}`,
    LIMIT_QUERY: `2/${LONG}`,
    LIMIT_REPORTING: `1/${LONG}`,
    LIMIT_COLLECT: `6/${LONG},12/${LONG}`,
    LIMIT_LINKS: `6/${LONG}`,
    LIMIT_ADMIN: `5/${LONG}`,
    LIMIT_PERSON: `8/${LONG}`,
    LIMIT_INVITATIONS: `3/${LONG}`,
    LIMIT_SIGN_IN: `3/${LONG}`,
  });
  await service.apply(limitedWorkspace(own, ['key-5', 'key-6']));
});
afterAll(async () => {
  await service?.dispose();
  fs.rmSync(folder, { recursive: true });
});

let hosts = 0;
/** An address that no other test of limits by address has. */
const newAddress = () => `198.51.${100 + Math.floor(hosts / 200)}.${(hosts++ % 200) + 1}`;
const from = (address: string) => ({ 'X-Forwarded-For': address });
const list = (key: string, query = '', address = newAddress()) =>
  service.request(`/api/v1/campaigns${query}`, { headers: { 'service-key': own(key), ...from(address) } });
let events = 0;
/** An event of one of ten installs, which stay below all quotas. */
const open = () => appEvent('open', { app_id: 'com.limited', install_id: own(`install-${events++ % 10}`) });
const collect = (kind: string, key: string, address = newAddress()) =>
  service.request(`/collect/v1/${kind === 'web-key' ? 'web' : 'app'}`, {
    method: 'POST',
    headers: { [kind]: own(key), ...from(address) },
    body: JSON.stringify({ events: kind === 'web-key' ? [] : [open()] }),
  });
/** A refusal with the text and the time of a long window. */
async function expectRefused(response: Response): Promise<void> {
  expect([response.status, await response.json()]).toEqual([429, LIMITED]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(80_000);
}
const metrics = async () =>
  (await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })).text();
const refusals = async (area: string, reason: string) => {
  const line = `adtrail_requests_refused_total{area="${area}",reason="${reason}"} `;
  const found = (await metrics()).split('\n').find((one) => one.startsWith(line));
  return found === undefined ? 0 : Number(found.slice(line.length));
};

describe('a campaign', () => {
  test('takes as many clicks, answers the others when to retry, and stores none of them', async () => {
    // What is refused for another reason is refused so, and uses up nothing.
    const wrong = await Promise.all(times(10, () => click(service, own, 'limited-0', 'gaid=not-a-uuid')));
    expect(readCount(wrong)).toEqual({ invalid_device_id: 10 });
    const answers = await Promise.all(times(40, () => click(service, own, 'limited-0', undefined, own('burst'))));
    expectOnlyLimited(answers, 90_000);
    expect(readCount(answers)).toEqual({ accepted: 20, rate_limited: 20 });
    expect(readCount([await click(service, own, 'limited-1')])).toEqual({ accepted: 1 });
    expect(
      await service.rows(`SELECT count() AS n FROM analytics.clicks WHERE startsWith(tid, '${own('burst')}')`),
    ).toEqual([{ n: 20 }]);
  });

  test('trials of requests have a limit of their own, and networks of the operator are data centres', async () => {
    const headers = { 'X-Service-Token': own('token') };
    const send = async (ip: string, at = '/v1/validate', method = 'POST') => {
      const query = `c=limited-2&tid=trial&ua=x&ip=${ip}`;
      const response = await service.request(`${at}/ctv/impression/com.limited?${query}`, { method, headers });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body, wait: response.headers.get('retry-after') };
    };
    for (let i = 0; i < 3; i++)
      expect(await send('198.51.100.77')).toMatchObject({ body: { reason: 'datacenter_ip' } });
    expect(await send('198.51.100.63')).toMatchObject({ status: 200, body: { outcome: 'accepted' } });
    const refused = await send('198.51.100.63');
    expect([refused.status, Number(refused.wait) > 0]).toEqual([429, true]);
    const { body } = await send('198.51.100.63', '/v1', 'GET');
    expect(
      await service.rows(
        `SELECT datacenter_list FROM analytics.ctv_impressions WHERE impression_id = '${String(body.impression_id)}'`,
      ),
    ).toEqual([{ datacenter_list: expect.stringMatching(/\+custom:[0-9a-f]{8}$/) as string }]);
  });
});

describe('a key', () => {
  test('has as many requests, the rest learn when to retry; other keys are not affected', async () => {
    // What is refused as invalid uses up nothing.
    expect(await readStatuses(times(6, () => list('key-1', '?page=0')))).toEqual({ 422: 6 });
    expect(await readStatuses(times(15, () => list('key-1')))).toEqual({ 200: 5, 429: 10 });
    await expectRefused(await list('key-1'));
    expect((await list('key-2')).status).toBe(200);
    // The answer says what is wrong with it, not that it came too often.
    expect((await list('key-1', '?page=0')).status).toBe(422);
  });

  test('has a limit of its own for management, shared by create, edit and delete', async () => {
    const headers = { 'service-key': own('key-1'), ...from(newAddress()) };
    const create = (name: string) =>
      service.request('/api/v1/create-campaign', {
        method: 'POST',
        headers,
        body: JSON.stringify({ name, custom_display_id: name }),
      });
    expect((await create('one')).status).toBe(201);
    const edit = { method: 'PATCH', headers, body: '{"name":"Two"}' };
    expect((await service.request('/api/v1/campaigns/one', edit)).status).toBe(200);
    expect((await service.request('/api/v1/campaigns/one', { method: 'DELETE', headers })).status).toBe(204);
    await expectRefused(await create('four'));
    expect(await (await list('key-4', '?limit=1000')).text()).not.toContain('"four"');
  });

  test('has limits of its own for questions and for reports', async () => {
    const good = { metrics: ['installs'], from: '2026-03-01', to: '2026-03-02', source: 'app' };
    const query = (body: object, key = 'key-5') => postQuery(service, own(key), body);
    expect((await query({ ...good, metrics: ['nothing'] })).status).toBe(400);
    for (let i = 0; i < 2; i++) await answered(service, own('key-5'), good);
    const refused = await query(good);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 80_000]).toEqual([429, true]);
    await answered(service, own('key-6'), good);
    const report = (key: string, more = '') => reportGiven(service, own(key), more);
    expect((await report('key-5', 'limit=0')).status).toBe(422);
    expect((await report('key-5')).status).toBe(200);
    expect(await report('key-5')).toMatchObject({ status: 429, body: LIMITED });
    expect((await report('key-6')).status).toBe(200);
  });

  test('that is public has a limit over all addresses, and a server key has none', async () => {
    const before = await refusals('collect', 'rate_limited');
    for (const kind of ['app', 'web']) {
      expect(await readStatuses(times(10, () => collect(`${kind}-key`, kind)))).toEqual({ 202: 6, 429: 4 });
      await expectRefused(await collect(`${kind}-key`, kind));
      expect((await collect(`${kind}-key`, `${kind}-2`)).status).toBe(202);
    }
    expect(await readStatuses(times(20, () => collect('service-key', 'key-1')))).toEqual({ 202: 20 });
    expect(await refusals('collect', 'rate_limited')).toBe(before + 10);
  });
});

describe('a source address', () => {
  test('is that of the client behind a trusted proxy, an IPv6 one with its whole /64, before the key', async () => {
    const [six, four] = [(i: number) => `2001:db8:1:2::${i + 1}`, newAddress()];
    const ask = async (at: string, address: string) =>
      (await service.request(`/api/v1${at}`, { headers: from(address) })).status;
    expect(await ask('/campaigns', six(0))).toBe(401);
    expect(await ask('/nothing', six(1))).toBe(404);
    expect(await ask('/create-campaign', six(2))).toBe(405);
    expect(await readStatuses(times(30, (i) => list('wrong', '', six(i))))).toEqual({ 401: 27, 429: 3 });
    await expectRefused(await list('key-3', '', six(99)));
    expect((await list('key-3', '', '2001:db8:1:3::1')).status).toBe(200);
    expect(await readStatuses(times(32, () => list('wrong', '', four)))).toEqual({ 401: 30, 429: 2 });
    // Only the last address is from the proxy; anybody can have written those before it.
    expect((await list('wrong', '', `192.0.2.1, ${four}`)).status).toBe(429);
    expect((await list('wrong', '', `${four}, 192.0.2.1`)).status).toBe(401);
    // Nothing else is counted by this limit.
    for (const at of ['/healthz', '/openapi.json'])
      expect((await service.request(at, { headers: from(four) })).status).toBe(200);
  });

  test('has a limit of collectors over all keys, and without a good one; a server key has none', async () => {
    const [address, other] = [newAddress(), newAddress()];
    const keys = ['app-3', 'app-4', 'wrong'];
    expect(await readStatuses(times(15, (i) => collect('app-key', keys[i % 3] as string, address)))).toMatchObject({
      429: 3,
    });
    expect((await collect('web-key', 'web-3', address)).status).toBe(429);
    expect((await collect('service-key', 'wrong', address)).status).toBe(429);
    expect((await collect('web-key', 'web-3', other)).status).toBe(202);
    expect(await readStatuses(times(20, () => collect('service-key', 'key-1', address)))).toEqual({ 202: 20 });
  });

  test('shares its limit among links, the files beside them and the browser script', async () => {
    const [address, other] = [newAddress(), newAddress()];
    const open = (at: string, of = address, method = 'GET') =>
      openLink(service, at, { host: DOMAIN, method, headers: from(of) });
    const before = await refusals('other', 'rate_limited');
    for (const at of ['/limited-0', '/qr?c=limited-0', '/.well-known/assetlinks.json'])
      expect((await open(at)).status).toBeLessThan(400);
    expect((await open('/limited-0', address, 'HEAD')).status).toBe(302);
    const script = () => service.request('/adtrail.js', { headers: from(address) });
    for (let i = 0; i < 2; i++) expect((await script()).status).toBe(200);
    const refused = await open('/limited-0');
    expect([refused.status, JSON.parse(refused.text)]).toEqual([429, LIMITED]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    expect((await script()).status).toBe(429);
    expect((await open('/limited-0', other)).status).toBe(302);
    expect(await refusals('other', 'rate_limited')).toBe(before + 2);
  });

  test('that guesses the admin token is refused, whatever comes next; others are not', async () => {
    const [address, before] = [newAddress(), await refusals('admin', 'unauthorized')];
    const ask = (token: string | undefined, of = address) =>
      service.request('/admin/v1/projects', {
        headers: { ...from(of), 'X-Request-Id': 'attempt', ...(token && { Authorization: `Bearer ${token}` }) },
      });
    for (let i = 0; i < 3; i++) expect((await ask(undefined)).status).toBe(401);
    for (let i = 0; i < 5; i++) expect((await ask(`guess-${i}`)).status).toBe(401);
    const refused = await ask('guess-5');
    expect(refused.headers.get('x-request-id')).toBe('attempt');
    await expectRefused(refused);
    expect((await ask(ADMIN_TOKEN)).status).toBe(429);
    expect((await ask(ADMIN_TOKEN, newAddress())).status).toBe(200);
    expect(await refusals('admin', 'unauthorized')).toBe(before + 8);
  });
});

test('a limit that is off limits nothing', async () => {
  const answers = await Promise.all(times(100, () => click(shared, own, 'limited-0')));
  expect(readCount(answers)).toEqual({ accepted: 100 });
});

describe('what a public key may send in a day', () => {
  let number = 0;
  const visit = (visitor_id: string) => ({
    event_id: own(`visit-${(number += 1)}`),
    type: 'page_view',
    time: new Date().toISOString(),
    visitor_id,
    session_id: 's',
    url: 'https://shop.example/',
  });
  const visits = (visitor: string, count: number) => times(count, () => visit(visitor));
  const key = (name: string) => ({ 'web-key': own(`web-key-of-${name}`), ...from(newAddress()) });
  const overQuota = (index: number, field: string) => ({ index, reason: 'over_quota', field });
  const opens = (count: number, installs: number) =>
    times(count, (i) => appEvent('open', { app_id: 'com.quota', install_id: `install-${i % installs}` }));

  beforeAll(() => {
    const project = (name: string) => ({
      name,
      account: 'Limited',
      timezone: 'UTC',
      server_keys: [`server-key-of-${name}`],
      app_keys: [`app-key-of-${name}`],
      web_keys: [`web-key-of-${name}`],
      apps: [{ platform: 'ANDROID', app_id: 'com.quota' }],
    });
    return service.apply(own.document({ projects: ['One', 'Two', 'Three'].map(project) }));
  });

  test('is bounded by visitor; the good ones beside the excess are stored', async () => {
    // An event that is refused for another reason counts for nothing.
    const bad = times(10, () => ({ ...visit('busy'), url: 'nowhere' }));
    expect(await collectWeb(service, key('One'), bad)).toMatchObject({ body: { accepted: 0 } });
    const { status, body } = await collectWeb(service, key('One'), [...visits('busy', 6), visit('calm')]);
    expect([status, body]).toEqual([202, { accepted: 6, rejected: [overQuota(5, 'visitor_id')] }]);
    expect((await collectWeb(service, key('One'), [visit('busy')])).body).toEqual({
      accepted: 0,
      rejected: [overQuota(0, 'visitor_id')],
    });
    expect(
      await service.rows(
        `SELECT visitor_id, count() AS n FROM analytics.web_events
         WHERE project_id = ${await idByName(service, 'projects', own('One'))} GROUP BY visitor_id ORDER BY n`,
      ),
    ).toEqual([
      { visitor_id: 'calm', n: 1 },
      { visitor_id: 'busy', n: 5 },
    ]);
  });

  test('and by installs and events of a project; servers and other projects are not concerned', async () => {
    const app = () => ({ 'app-key': own('app-key-of-Two'), ...from(newAddress()) });
    const first = await collectApp(service, opens(15, 15), app());
    expect(first).toMatchObject({ accepted: 14, rejected: [overQuota(14, 'install_id')] });
    const rest = await collectApp(service, opens(17, 14), app());
    expect([rest.accepted, rest.rejected]).toEqual([15, [overQuota(15, ''), overQuota(16, '')]]);
    const byServer = await collectApp(service, opens(50, 50), { 'service-key': own('server-key-of-Two') });
    expect(byServer.accepted).toBe(50);
    expect((await collectWeb(service, key('Three'), [visit('busy')])).body).toEqual({ accepted: 1, rejected: [] });
  });

  test('the excess shows in the log, once, and in the metrics', async () => {
    const told = service.output().match(/Project \d+ has sent more by a public key than QUOTA_COLLECT allows: \w+/g);
    expect(told?.map((line) => line.split(': ')[1])).toEqual(['eventsOfOne', 'entities', 'events']);
    const text = await metrics();
    expect(text).toMatch(/^adtrail_events_over_quota_total\{quota="eventsOfOne"\} 2$/m);
    expect(text).toMatch(/^adtrail_events_over_quota_total\{quota="events"\} 2$/m);
  });
});

describe('people', () => {
  let operator: Browser;
  let people: Record<string, Browser>;
  let accounts: Record<string, number>;
  const makeEmail = (name: string) => `${name}@limits.example`;
  const newPerson = (role: string, account: string, name = role) =>
    findPerson(shared, operator, role, { account_id: accounts[account] }, makeEmail(name));
  /** The same person, as the process with limits sees them. */
  const limited = ({ cookie }: Browser) => Object.assign(readBrowser(service), { cookie });
  const signIn = (name: string, address: string, more: object = {}, browser = readBrowser(service)) =>
    browser.send('POST', '/auth/v1/sign-in', { email: makeEmail(name), password: PASSWORD, ...more }, from(address));
  const WRONG = { password: 'wrong password' };

  beforeAll(async () => {
    await shared.apply(own.document({ accounts: [{ name: 'Acme' }, { name: 'Beta' }] }));
    operator = await readOperator(shared, makeEmail('olga'));
    const listed = (await shared.admin('GET', '/accounts')).body.accounts as { id: number; name: string }[];
    accounts = Object.fromEntries(listed.map(({ id, name }) => [name.replace(own(''), ''), id]));
    people = {};
    for (const role of ['owner', 'admin', 'analyst', 'viewer']) people[role] = await newPerson(role, 'Acme');
  });

  test('wrong passwords count by account and address together: nobody locks anybody else out', async () => {
    const [address, other] = [newAddress(), newAddress()];
    const known = readBrowser(service);
    expect((await signIn('owner', address, {}, known)).status).toBe(200);
    await known.send('POST', '/auth/v1/sign-out');
    // Ten at once are no more guesses than ten one after the other.
    const statuses = await Promise.all(times(10, () => signIn('owner', address, WRONG)));
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(3);
    const refused = await signIn('owner', address);
    expect(refused.status).toBe(429);
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(80_000);
    // From elsewhere, in the browser of before, and for others at the same address it goes on.
    expect((await signIn('owner', other)).status).toBe(200);
    expect((await signIn('owner', address, {}, known)).status).toBe(200);
    expect((await signIn('admin', address)).status).toBe(200);
    // The mark of a browser is of its person only, and does not let anybody guess without end.
    const stranger = Object.assign(readBrowser(service), { known: known.known });
    const guesses = [];
    for (let n = 0; n < 5; n += 1) guesses.push((await signIn('owner', address, WRONG, stranger)).status);
    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    for (let n = 0; n < 3; n += 1) await signIn('admin', address, WRONG);
    expect((await signIn('admin', address, {}, stranger)).status).toBe(429);
  });

  test('an address tries one password at ten times as many accounts, and then none', async () => {
    const address = newAddress();
    const sprayed = [];
    for (let n = 0; n < 31; n += 1) sprayed.push((await signIn(`spray-${n}`, address)).status);
    expect(sprayed).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
    expect((await signIn('owner', newAddress())).status).toBe(200);
    // A link for somebody who is known is no other way to guess at the password.
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      const invited = { email: makeEmail('owner'), role: 'viewer', account_id: accounts.Beta };
      const { link } = (await operator.send('POST', '/auth/v1/invitations', invited)).body;
      const answer = { token: readToken(link), password: 'not the password' };
      statuses.push((await readBrowser(service).send('POST', '/auth/v1/links/follow', answer)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('wrong codes count for the account, wherever they come from', async () => {
    const person = await newPerson('viewer', 'Beta', 'coded');
    const secret = (await person.send('POST', '/auth/v1/me/second-factor')).body.secret as string;
    const given = { secret, code: new TOTP({ secret }).generate(), password: PASSWORD };
    const [recovery] = (await person.send('POST', '/auth/v1/me/second-factor/confirm', given)).body
      .recovery_codes as string[];
    const tried = [];
    for (let n = 0; n < 4; n += 1) tried.push((await signIn('coded', newAddress(), { code: '000000' })).status);
    expect(tried).toEqual([401, 401, 401, 429]);
    expect((await signIn('coded', newAddress(), { code: recovery })).status).toBe(429);
  });

  test('invitations are bounded by person and by account, and nobody uses up what another account has', async () => {
    let n = 0;
    const send = async (browser: Browser, account = 'Acme') => {
      const invited = { email: makeEmail(`bounded-${n++}`), role: 'viewer', account_id: accounts[account] };
      return (await limited(browser).send('POST', '/auth/v1/invitations', invited)).status;
    };
    // Who is not of the account is refused, and counts for himself only.
    const outsider = await newPerson('owner', 'Beta', 'outsider');
    const { owner, admin } = people as { owner: Browser; admin: Browser };
    for (const status of [404, 404]) expect(await send(outsider)).toBe(status);
    for (const status of [201, 201]) expect(await send(admin)).toBe(status);
    for (const status of [201, 429]) expect(await send(owner)).toBe(status);
    for (const status of [201, 201, 201, 429]) expect(await send(outsider, 'Beta')).toBe(status);
  });

  test('a person has a limit of requests under /admin/v1 and /auth/v1, wherever they come from', async () => {
    const ask = async (role: string, at: string) =>
      (await limited(people[role] as Browser).send('GET', at, undefined, from(newAddress()))).status;
    const paths = ['/admin/v1/projects', '/auth/v1/me', '/admin/v1/nothing', '/auth/v1/sessions'];
    const statuses = [];
    for (const at of [...paths, ...paths]) statuses.push(await ask('analyst', at));
    expect(statuses).toEqual([200, 200, 404, 200, 200, 200, 404, 200]);
    expect(await ask('analyst', '/auth/v1/me')).toBe(429);
    expect(await ask('viewer', '/auth/v1/me')).toBe(200);
    for (let n = 0; n < 10; n += 1) expect((await service.admin('GET', '/projects')).status).toBe(200);
  });
});
