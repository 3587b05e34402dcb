/**
 * What there is of a person: counted before they are forgotten, as a file for who asks for their own data, and in the
 * receipt; the audit log has both, without whom they are about (docs/contract/attribution.md: Erasing a person).
 */
import crypto from 'node:crypto';
import { decided } from '../../support/attribution/attribution';
import { caughtUp } from '../../support/caught-up';
import { appEvent, post, type Json } from '../../support/collect/collect-client';
import { findPerson, readOperator, type Browser } from '../../support/people/person';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const own = ownNames('persons');
const service = sharedService();
const ROLES = ['owner', 'admin', 'analyst', 'viewer', 'engineer'];
const byRole: Record<string, Browser> = {};
let operator: Browser;
let account: number;
let shop: number;
let other: number;

beforeAll(async () => {
  const app = { platform: 'ANDROID', app_id: 'com.persons' };
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['shop'],
          domains: [{ name: 'go.persons.example' }],
          apps: [app],
          partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true }],
          campaigns: [{ display_id: 'persons', name: 'One', partner: 'Mobi Ads' }],
        },
        { name: 'Other', account: 'Acme', timezone: 'UTC', server_keys: ['other'], apps: [app] },
      ],
    }),
  );
  shop = await idByName(service, 'projects', own('Shop'));
  other = await idByName(service, 'projects', own('Other'));
  operator = await readOperator(service, 'olga@persons.example');
  const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
  account = accounts.find(({ name }) => name === own('Acme'))?.id as number;
  for (const role of ROLES)
    byRole[role] = await findPerson(service, operator, role, { account_id: account }, `${role}@persons.example`);
});

const as = (role: string) => byRole[role] as Browser;
const NOTHING = {
  installs: 0,
  visitors: 0,
  app_events: 0,
  clicks: 0,
  impressions: 0,
  ctv_impressions: 0,
  web_events: 0,
};
const known = (value: string, kind = 'user') => ({ kind, value });
const ask = (who: Browser, what: string, body: object, project = shop) =>
  who.send('POST', `/admin/v1/projects/${project}/persons/${what}`, body);

async function touch(kind: string, gaid: string): Promise<void> {
  const query = new URLSearchParams({ c: 'persons', tid: crypto.randomUUID(), gaid });
  const path = `/v1/${kind}/com.persons?${query.toString()}`;
  const { status } = await service.request(path, { headers: { 'X-Service-Token': own('token') } });
  expect(status).toBe(200);
}

async function send(kind: string, events: readonly Json[], key = 'shop'): Promise<void> {
  const answer = await post(service, JSON.stringify({ events }), { 'service-key': own(key) }, `/collect/v1/${kind}`);
  expect(answer).toMatchObject({ status: 202, accepted: events.length });
}

/** Somebody with a click, an impression, an install, two events and three visits; another shares nothing with them. */
async function sendPerson() {
  const mark = (what: string) => `${what}-${crypto.randomUUID()}`;
  const [user, install, visitor, gaid] = [mark('user'), mark('install'), mark('visitor'), crypto.randomUUID()];
  const app = (type: string, more: Json = {}) =>
    appEvent(type, { app_id: 'com.persons', install_id: install, gaid, user: { id: user }, ...more });
  const visit = (more: Json = {}) => ({
    event_id: crypto.randomUUID(),
    type: 'page_view',
    time: new Date().toISOString(),
    session_id: mark('session'),
    visitor_id: visitor,
    url: 'https://persons.example/',
    ...more,
  });
  await touch('click', gaid);
  await touch('impression', gaid);
  await touch('click', crypto.randomUUID());
  await send('app', [
    app('install'),
    app('payment', { amount: 5, currency: 'USD' }),
    app('event', { name: 'level_up' }),
    appEvent('install', { app_id: 'com.persons', install_id: mark('install'), user: { id: `${user}-other` } }),
  ]);
  await send('web', [visit(), visit({ user_id: user }), visit(), visit({ visitor_id: mark('visitor') })]);
  // The same user in another project is somebody else's to forget.
  await send('app', [app('install', { install_id: mark('install') })], 'other');
  await decided(service, [install]);
  await caughtUp(service);
  return { user, install, visitor, gaid };
}

const FOUND = { ...NOTHING, installs: 1, visitors: 1, app_events: 3, clicks: 1, impressions: 1, web_events: 3 };

/** Entries of the audit log about a kind of thing in the shop, the latest first. */
async function readEntries(subject: string) {
  const query = `account_id=${account}&project_id=${shop}&subject=${subject}`;
  return (await as('owner').send('GET', `/auth/v1/audit-log?${query}`)).body.entries as Record<string, unknown>[];
}

describe('what there is of a person', () => {
  let person: Awaited<ReturnType<typeof sendPerson>>;
  beforeAll(async () => {
    person = await sendPerson();
  }, 90_000);

  it('is counted by any identifier, and changes nothing', async () => {
    expect((await ask(as('admin'), 'count', known(person.user))).body).toEqual(FOUND);
    const { body } = await ask(as('owner'), 'count', known(person.gaid.toUpperCase(), 'gaid'));
    expect(body).toEqual({ ...FOUND, visitors: 0, web_events: 0 });
    expect((await ask(operator, 'count', known('nobody-ever'))).body).toEqual(NOTHING);
    expect(await readEntries('erasure_requests')).toEqual([]);
  });

  it('is a file of all rows, each with its table, and of nobody else', async () => {
    const { response } = await ask(as('admin'), 'export', known(person.user));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toContain('person.ndjson');
    // The browser of the test has read it.
    const headers = { Origin: service.url, Cookie: as('admin').cookie, 'Content-Type': 'application/json' };
    const path = `/admin/v1/projects/${shop}/persons/export`;
    const again = await service.request(path, { method: 'POST', headers, body: JSON.stringify(known(person.user)) });
    const text = await again.text();
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const count = (table: string) => rows.filter((row) => row.table === table).length;
    expect(Object.fromEntries(Object.keys(NOTHING).map((name) => [name, count(name)]))).toEqual({
      ...FOUND,
      visitors: 0,
    });
    expect(count('web_visitors')).toBe(1);
    expect(rows.every((row) => row.project_id === shop)).toBe(true);
    expect(rows.filter((row) => row.table === 'clicks')).toMatchObject([{ gaid: person.gaid }]);
    expect(rows.filter((row) => row.table === 'app_events').map((row) => row.user_id)).toEqual(
      Array(3).fill(person.user),
    );
    expect(text).not.toContain(`${person.user}-other`);
    const [entry] = await readEntries('person_exports');
    expect(entry).toMatchObject({
      action: 'create',
      actor_name: 'admin',
      project_id: shop,
      after: { kind: 'user', installs: 1, app_events: 3, clicks: 1, web_events: 3 },
    });
    expect(JSON.stringify(await readEntries('person_exports'))).not.toContain(person.user);
  });

  it.each(['analyst', 'viewer', 'engineer'])('is nothing for who is %s', async (role) => {
    for (const what of ['count', 'export']) expect((await ask(as(role), what, known('x'))).status).toBe(403);
  });

  it.each([
    ['a kind that is none', 'count', known('x', 'ip'), () => shop, 400],
    ['an advertising ID that is none', 'export', known('x', 'idfa'), () => shop, 400],
    ['a project that is none', 'export', known('x'), () => 99_999, 404],
  ])('%s is refused', async (_, what, body, project, status) => {
    expect((await ask(operator, what, body, project())).status).toBe(status);
  });

  it('is in the receipt once it is hidden, and the audit log has who, when and how much, but not whom', async () => {
    const { status, body } = await as('admin').send('DELETE', `/admin/v1/projects/${shop}/devices/user/${person.user}`);
    expect([status, body.found]).toEqual([202, null]);
    const receipt = await eventually(
      'the person is hidden',
      async () => {
        const path = `/admin/v1/projects/${shop}/forgotten/${String(body.id)}`;
        const now = (await as('admin').send('GET', path)).body;
        return now.hidden_at ? now : undefined;
      },
      100_000,
    );
    expect(receipt.found).toEqual(FOUND);
    const entries = await readEntries('erasure_requests');
    const made = entries.at(-1);
    expect(made).toMatchObject({
      action: 'create',
      actor_name: 'admin',
      name: `#${String(body.id)}`,
      project_id: shop,
      after: { kind: 'user' },
    });
    expect(entries.at(-2)).toMatchObject({
      action: 'change',
      actor: 'service',
      after: { installs: 1, app_events: 3, clicks: 1, hidden_at: expect.any(String) as string },
    });
    const text = JSON.stringify(entries);
    for (const word of [person.user, person.gaid, person.install, person.visitor, 'needles', 'value'])
      expect(text).not.toContain(word);
    expect((await ask(as('admin'), 'count', known(person.user))).body).toEqual(NOTHING);
    // What is of another project stays.
    expect((await ask(as('admin'), 'count', known(person.user), other)).body).toMatchObject({ installs: 1 });
  }, 130_000);
});
