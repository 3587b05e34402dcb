/** Hosts, domains and app IDs between accounts that distrust each other (docs/contract/workspace.md). */
import { createConnection } from 'node:net';
import { openLink } from '../../support/links/links';
import { ownNames } from '../../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { startDnsServer, type DnsServer } from '../../support/links/dns-server';
import { sharedService, startBeside } from '../../support/shared-service';
import { eventually, type RunningService } from '../../support/service';

const shared = sharedService();
const own = ownNames('places');
const OWN_HOST = 'service.places.example';
const CONFIRMED = own('go.first.example');
const side = (name: string) => ({
  name,
  account: name,
  timezone: 'UTC',
  campaigns: [{ display_id: 'launch', name: 'Launch', website: `https://${name}.example/` }],
});

let dns: DnsServer;
let service: RunningService;
const people = new Map<string, Browser>();
const ids = new Map<string, number>();

/** For the processes of this suite. */
const variables = () => ({
  DNS_SERVERS: dns.address,
  OWN_HOSTS: `${OWN_HOST},other.places.example`,
  // It tries destinations out, with none inside that is let through.
  OUTBOX_ALLOW_PRIVATE: '198.18.0.1/32',
  LIMIT_PERSON: 'off',
  LIMIT_MANAGEMENT: 'off',
});

beforeAll(async () => {
  dns = await startDnsServer();
  service = await startBeside(shared, variables());
  const projects = [{ ...side('first'), domains: [{ name: 'go.first.example' }] }, side('second')];
  await service.apply(own.document({ accounts: [{ name: 'first' }, { name: 'second' }], projects }));
  const operator = await readOperator(service, 'places@adtrail.example');
  people.set('operator', operator);
  const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
  for (const name of ['first', 'second']) {
    const account_id = accounts.find((one) => one.name === own(name))?.id as number;
    people.set(name, await findPerson(service, operator, 'admin', { account_id }, `${name}@places.example`));
    ids.set(name, await idByName(service, 'projects', own(name)));
  }
}, 120_000);
afterAll(async () => {
  dns.close();
  await service.dispose();
});

const send = (who: string, method: string, path: string, body?: unknown, project = who) =>
  (people.get(who) as Browser).send(method, `/admin/v1/projects/${ids.get(project)}${path}`, body);
const put = (who: string, body: object, project = who) => send(who, 'PUT', '', body, project);
interface Domain {
  readonly id: number;
  readonly name: string;
  readonly primary: boolean;
  readonly status: string;
  readonly proof: { readonly type: string; readonly name: string; readonly value: string } | null;
  readonly last_check: { readonly state: string; readonly msg: string; readonly checked_at: string } | null;
}
const readDomain = async (who: string, name: string) =>
  ((await send(who, 'GET', '/domains')).body.domains as Domain[]).find((one) => one.name === name) as Domain;
const check = async (who: string, name: string) =>
  send(who, 'POST', `/domains/${(await readDomain(who, name)).id}/check`);
/** What the list says of the last look, which was a moment ago. */
async function lastCheck(who: string, name: string): Promise<[state?: string, msg?: string]> {
  const found = (await readDomain(who, name)).last_check;
  expect(Math.abs(Date.now() - Date.parse(found?.checked_at ?? ''))).toBeLessThan(60_000);
  return [found?.state, found?.msg];
}
const setProof = ({ proof }: Domain) => dns.records.set(`${proof?.name} TXT`, [proof?.value as string]);
const leadsTo = async (host: string) => (await openLink(service, '/launch', { host })).location;

describe('domains', () => {
  test('what the workspace document names is confirmed', async () => {
    expect(await readDomain('first', CONFIRMED)).toMatchObject({ primary: true, status: 'proven', proof: null });
    expect(await leadsTo(CONFIRMED)).toContain('https://first.example/');
  });

  test('what an account adds is pending, reaches nothing, and is proven by its record', async () => {
    const name = 'proven.places.example';
    expect((await put('second', { domains: [{ name, primary: true }] })).status).toBe(200);
    const pending = await readDomain('second', name);
    expect(pending).toMatchObject({
      primary: false,
      status: 'pending',
      proof: { type: 'TXT', name: `_adtrail.${name}` },
    });
    expect(pending.proof?.value).toMatch(/^adtrail-project=[\da-f]{32}$/);
    expect(pending).toMatchObject({ last_check: null });
    expect(await leadsTo(name)).toBeUndefined();
    expect((await check('second', name)).body).toMatchObject({ ok: false, status: 'pending', proof: pending.proof });
    // Another project's token proves nothing.
    dns.records.set(`_adtrail.${name} TXT`, ['adtrail-project=0123456789abcdef0123456789abcdef']);
    expect((await check('second', name)).body).toMatchObject({ status: 'pending' });

    setProof(pending);
    dns.records.set(`${name} CNAME`, [OWN_HOST]);
    expect((await check('second', name)).body).toMatchObject({
      ok: true,
      status: 'proven',
      proof: null,
      expected: `CNAME ${OWN_HOST}`,
    });
    expect(await lastCheck('second', name)).toEqual(['unknown', `${name} leads to this service.`]);
    expect(await readDomain('second', name)).toMatchObject({ id: pending.id, primary: true, status: 'proven' });
    expect(await leadsTo(name)).toContain('https://second.example/');
  });

  test('a domain that leads elsewhere says so in the list too', async () => {
    dns.records.set(`${CONFIRMED} CNAME`, ['elsewhere.example']);
    dns.records.set(`${CONFIRMED} A`, ['93.184.216.34']);
    expect((await check('first', CONFIRMED)).body).toMatchObject({ ok: false, certificate: null });
    expect(await lastCheck('first', CONFIRMED)).toEqual([
      'elsewhere',
      `${CONFIRMED} leads elsewhere. Set CNAME ${OWN_HOST} in place of what is there; it may take an hour to be seen.`,
    ]);
    dns.records.delete(`${CONFIRMED} CNAME`);
    dns.records.delete(`${CONFIRMED} A`);
  });

  test('of two accounts that wait for a domain the one that proves it first has it', async () => {
    const name = 'both.places.example';
    for (const who of ['first', 'second']) expect((await put(who, { domains: [{ name }] })).status).toBe(200);
    setProof(await readDomain('second', name));
    expect((await check('first', name)).body).toMatchObject({ status: 'pending' });
    expect((await check('second', name)).body).toMatchObject({ status: 'proven' });
    setProof(await readDomain('first', name));
    expect((await check('first', name)).body).toMatchObject({
      status: 'pending',
      msg: `${name} belongs to another project.`,
    });
    expect(await leadsTo(name)).toContain('https://second.example/');
  });

  test('a domain that is removed is pending again when it is added', async () => {
    const name = 'again.places.example';
    await put('second', { domains: [{ name }] });
    setProof(await readDomain('second', name));
    await check('second', name);
    dns.records.delete(`_adtrail.${name} TXT`);
    const { id } = await readDomain('second', name);
    expect((await send('second', 'DELETE', `/domains/${id}`)).status).toBe(204);
    await put('second', { domains: [{ name }] });
    const again = await readDomain('second', name);
    expect(again.status).toBe('pending');
    expect((await send('second', 'DELETE', `/domains/${again.id}`)).status).toBe(204);
    expect(await readDomain('second', name)).toBeUndefined();
  });

  test('operators confirm a domain, and nobody else', async () => {
    const name = 'asked.places.example';
    await put('second', { domains: [{ name }] });
    const { id } = await readDomain('second', name);
    const confirm = (who: string) => send(who, 'POST', `/domains/${id}/confirm`, undefined, 'second');
    expect((await confirm('second')).status).toBe(403);
    expect((await confirm('first')).status).toBe(403);
    const confirmed = await confirm('operator');
    expect([confirmed.status, confirmed.body]).toEqual([200, expect.objectContaining({ name, status: 'proven' })]);
    // Whose it is by now stays so.
    await put('first', { domains: [{ name: 'late.places.example' }] });
    const late = await readDomain('first', 'late.places.example');
    await put('operator', { domains: [{ name: late.name }] }, 'second');
    const refused = await send('operator', 'POST', `/domains/${late.id}/confirm`, undefined, 'first');
    expect(refused.body).toEqual({ msg: 'This domain belongs to another project.', status: 409 });
  });

  test('the service asks by itself, an hour after it asked last', async () => {
    const name = 'hourly.places.example';
    const postgres = readPostgres(shared);
    const makeDue = () =>
      postgres.rows("UPDATE pending_domains SET checked_at = now() - interval '2 hours' WHERE name = $1", [name]);
    await put('second', { domains: [{ name }] });
    setProof(await readDomain('second', name));
    // A process looks when it starts, and each minute from then on.
    const [asking] = await Promise.all([startBeside(shared, variables()), makeDue()]);
    await eventually(
      'it is proven',
      async () => {
        // Again and again: the process that shares these engines asks another DNS.
        await makeDue();
        return (await readDomain('second', name)).status === 'proven' ? true : undefined;
      },
      120_000,
    );
    await Promise.all([postgres.close(), asking.dispose()]);
    // The process hears of it from PostgreSQL, as all others do.
    await eventually(
      'it leads to the project',
      async () => (await leadsTo(name))?.includes('//second.example/') || undefined,
    );
  }, 150_000);

  test('the hosts of the service are domains of nobody, whatever a request calls it', async () => {
    for (const name of [OWN_HOST, 'OTHER.places.example.'])
      for (const { status, body } of [
        await put('second', { domains: [{ name }] }),
        await service.admin('PUT', `/projects/${ids.get('second')}`, { domains: [{ name }] }),
      ])
        expect([status, body.msg]).toEqual([400, expect.stringContaining('this service itself is reached at')]);
  });

  test('a project has a bounded number of domains that wait', async () => {
    const domains = Array.from({ length: 21 }, (_, i) => ({ name: `many${i}.places.example` }));
    expect((await put('first', { domains })).status).toBe(400);
  });

  test('names inside are answered like names that nobody knows', async () => {
    dns.records.set('inside.places.example A', ['10.1.2.3']);
    dns.records.set('alias.places.example CNAME', ['secret.corp.example']);
    dns.records.set('alias.places.example A', ['10.1.2.4']);
    dns.records.set('dangling.places.example CNAME', ['gone.corp.example']);
    const names = ['unknown', 'inside', 'alias', 'dangling'].map((name) => `${name}.places.example`);
    await put('first', { domains: names.map((name) => ({ name })) });
    const [unknown, ...others] = await Promise.all(
      names.map(async (name) => {
        const began = performance.now();
        const { body } = await check('first', name);
        return { text: JSON.stringify(body).replaceAll(name, 'NAME'), ms: performance.now() - began };
      }),
    );
    for (const other of others) expect(other.text).toBe(unknown?.text);
    // However soon DNS has answered.
    for (const { ms } of [unknown, ...others] as { ms: number }[]) expect(ms).toBeGreaterThan(1_400);
  });
});

describe('app IDs', () => {
  const apps = (app_id: string, platform = 'ANDROID') => ({ apps: [{ platform, app_id }] });
  const TAKEN = { msg: 'This app ID belongs to another account.', status: 409 };

  test('the account that had it first has it', async () => {
    expect((await put('first', apps('com.places.first'))).status).toBe(200);
    expect((await put('second', apps('com.places.first'))).body).toEqual(TAKEN);
    expect((await put('second', apps('com.places.first', 'IOS'))).body).toEqual(TAKEN);
    expect((await put('first', apps('987654321', 'IOS'))).status).toBe(200);
    expect((await put('second', apps('id987654321', 'IOS'))).body).toEqual(TAKEN);
  });

  test('of two that ask at once one is refused', async () => {
    const answers = await Promise.all(['first', 'second'].map((who) => put(who, apps('com.places.race'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('it is free once the account has removed it', async () => {
    await put('first', apps('com.places.moved'));
    const { body } = await send('first', 'GET', '/apps');
    const app = (body.apps as { id: number; app_id: string }[]).find((one) => one.app_id === 'com.places.moved');
    expect((await send('first', 'DELETE', `/apps/${app?.id}`)).status).toBe(204);
    expect((await put('second', apps('com.places.moved'))).status).toBe(200);
    expect((await put('first', apps('com.places.moved'))).body).toEqual(TAKEN);
  });

  test('an operator may give it to several, and each of them may change its own', async () => {
    const document = own.document({ projects: [{ ...side('second'), ...apps('com.places.first') }] });
    expect((await service.admin('PUT', '/workspace', document)).status).toBe(200);
    expect((await put('second', { apps: [{ ...apps('com.places.first').apps[0], bundle_id: 'b' }] })).status).toBe(200);
  });
});

describe('hosts', () => {
  const get = (host: string, target = '/launch') =>
    new Promise<{ status: number }>((resolve, reject) => {
      const socket = createConnection(Number(new URL(service.url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('end', () => resolve({ status: Number(text.split(' ')[1]) }));
      socket.on('error', reject);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });

  // Which others are none: test/unit/http/host.test.ts.
  test.each([`x@${CONFIRMED}`, `http://${CONFIRMED}`, `${CONFIRMED}/x`, `${CONFIRMED}:99999`])(
    '%s is no host of ours',
    async (host) => {
      expect((await get(CONFIRMED)).status).toBe(302);
      expect((await get(host)).status).not.toBe(302);
      expect((await get(host, '/qr?c=launch')).status).not.toBe(200);
      expect((await get('x', `http://x@${CONFIRMED}/launch`)).status).not.toBe(302);
    },
  );
});

test('destinations that lead inside are tried out like those that nobody knows', async () => {
  const answers = [];
  for (const host of ['localhost', 'nobody-knows-this.invalid']) {
    const template = { method: 'GET', url: `http://${host}:9/` };
    const began = performance.now();
    const { status, body } = await send('first', 'POST', '/postbacks/test', { template });
    answers.push({ status, answer: body.answer });
    expect(performance.now() - began).toBeGreaterThan(1_400);
  }
  const answer = { status: null, latency_ms: 0, error: 'the name of the host leads to no public address' };
  expect(answers).toEqual([
    { status: 200, answer },
    { status: 200, answer },
  ]);
}, 60_000);
