/** Erasing a person: hidden from every endpoint and view, removed from the disk, and every count as it was. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { sealRequests } from '../../src/erasure/sealed';
import { report as appReport } from '../support/app-report';
import { decided, installed } from '../support/attribution';
import { appEvent, collectApp, post, SERVER_KEY, type Json } from '../support/collect-client';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';
import { ANDROID, openLink } from '../support/links';
import { postgresOf } from '../support/postgres';
import { TOKEN, workspaceWithServerKey } from '../support/workspace';

let service: RunningService;
let projectId: number;

beforeAll(async () => {
  service = await startService({ LIMIT_DATA: 'off', LIMIT_IP: 'off', LIMIT_REPORTING: 'off' });
  await service.apply(workspaceWithServerKey(SERVER_KEY));
  const { projects } = (await service.admin('GET', '/projects')).body as { projects: { id: number; name: string }[] };
  projectId = projects.find(({ name }) => name === 'Acme Shop')?.id as number;
});
afterAll(() => service.dispose());

async function click(parameters: Record<string, string>): Promise<void> {
  const query = new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), ...parameters });
  const response = await service.request(`/v1/click/com.acme.shop?${query.toString()}`, {
    headers: { 'X-Service-Token': TOKEN },
  });
  if (response.status !== 200) throw new Error(await response.text());
}

const result = async (query: Record<string, string>) =>
  (
    await service.request(`/api/v1/get-attribution-result?${new URLSearchParams(query).toString()}`, {
      headers: { 'service-key': SERVER_KEY },
    })
  ).status;
const erase = (kind: string, value: string, project = projectId) =>
  service.admin('DELETE', `/projects/${project}/devices/${kind}/${value}`);

/** Waits until a receipt shows a time. */
const receiptWith = (id: unknown, field: 'hidden_at' | 'removed_at') =>
  eventually(
    `receipt ${String(id)} has ${field}`,
    async () => {
      const { body } = await service.admin('GET', `/projects/${projectId}/forgotten/${String(id)}`);
      if (body.failure) throw new Error(`receipt ${String(id)}: ${JSON.stringify(body.failure)}`);
      return body[field] ? body : undefined;
    },
    110_000,
  );

/** Where a text is anywhere in the tables of the product. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.rows<{ database: string; name: string }>(
    "SELECT database, name FROM system.tables WHERE database IN ('adtrail', 'analytics')",
  );
  const found: string[] = [];
  for (const { database, name } of tables) {
    const [row] = await service.rows<{ rows: number }>(
      `SELECT count() AS rows
       FROM ${database}.${name}
       WHERE position(lower(toJSONString(tuple(*))), lower('${text}')) > 0`,
    );
    if (Number(row?.rows) > 0) found.push(`${database}.${name}`);
  }
  return found;
}

const counts = () =>
  service.rows<Json>(
    `SELECT (SELECT count() FROM analytics.clicks) AS clicks,
       (SELECT count() FROM analytics.impressions) AS impressions,
       (SELECT count() FROM analytics.installs) AS installs, (SELECT count() FROM analytics.app_events) AS events`,
  );

test.each([
  ['a kind that is none', 'ip', '203.0.113.1', 400],
  ['an advertising ID that is none', 'gaid', 'abc', 400],
])('%s is refused', async (_, kind, value, status) => {
  expect((await erase(kind, value)).status).toBe(status);
});

test('an unknown project, and no token', async () => {
  expect((await erase('user', 'x', 99_999)).status).toBe(404);
  expect((await service.request(`/admin/v1/projects/${projectId}/devices/user/x`, { method: 'DELETE' })).status).toBe(
    401,
  );
  expect((await service.admin('GET', `/projects/${projectId}/forgotten/99999`)).status).toBe(404);
});

test('a device: everything of its person is removed, everything of others and every count stays', async () => {
  const [gaid, other, user, email] = [
    crypto.randomUUID(),
    crypto.randomUUID(),
    `user-${crypto.randomUUID()}`,
    `${crypto.randomUUID()}@mail.example`,
  ];
  const [address, otherAddress] = ['203.0.113.201', '203.0.113.202'];
  await click({ gaid, ip: address, ua: 'Forgettable/1.0' });
  await service.request(
    `/v1/impression/com.acme.shop?${new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), gaid }).toString()}`,
    { headers: { 'X-Service-Token': TOKEN } },
  );
  await click({ gaid: other, ip: otherAddress });
  const install = await installed(service, {
    gaid,
    ip: address,
    ua: 'Forgettable/1.0',
    user: { id: user, email },
    device: { android_id: email },
  });
  await installed(service, { gaid: other, ip: otherAddress, user: { id: `other-${user}` } });
  await collectApp(service, [appEvent('payment', { install_id: install.install_id, user: { id: user } })]);
  await eventually('the user is known', async () => ((await result({ user_id: user })) === 200 ? true : undefined));
  const before = await counts();

  const { status, body: receipt } = await erase('gaid', gaid.toUpperCase());
  expect([status, receipt.hidden_at, receipt.removed_at]).toEqual([202, null, null]);
  await receiptWith(receipt.id, 'hidden_at');
  for (const text of [gaid, email, address, 'Forgettable/1.0'])
    expect([text, await tablesWith(text)]).toEqual([text, []]);
  // What is left of the name is that of another, which contains it.
  expect(await tablesWith(user)).toEqual(await tablesWith(`other-${user}`));
  expect(await result({ device_identifier: gaid })).toBe(204);
  expect(await result({ device_identifier: other })).toBe(200);
  expect(await counts()).toEqual(before);
  expect(
    await service.rows(
      `SELECT rule, campaign_display_id FROM analytics.installs WHERE install_id = '${install.install_id}'`,
    ),
  ).toEqual([{ rule: 'device_click', campaign_display_id: 'AbC123' }]);
  const users = await service.request('/api/v1/attributed-users?display_id=AbC123', {
    headers: { 'service-key': SERVER_KEY },
  });
  const { data } = (await users.json()) as { data: { total_users: number } };
  expect(data.total_users).toBe(2);
  expect(JSON.stringify(data)).not.toContain(email);

  expect(await receiptWith(receipt.id, 'removed_at')).toMatchObject({
    kind: 'gaid',
    hidden_at: expect.any(String) as string,
  });
  // ClickHouse keeps what it stores compressed: a text that is random enough stays readable in what is left of it.
  expect(filesWith(path.join(service.dataDir, 'clickhouse', 'store'), email)).toEqual([]);
  expect((await service.admin('GET', `/projects/${projectId}/forgotten`)).body.forgotten).toHaveLength(1);
}, 540_000);

/** ClickHouse deletes old parts while they are looked at: what is deleted has no text. */
function filesWith(folder: string, text: string): string[] {
  const existing = <T>(look: () => T[]): T[] => {
    try {
      return look();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  return existing(() => fs.readdirSync(folder, { withFileTypes: true })).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory()
      ? filesWith(file, text)
      : existing(() => (entry.isFile() && fs.readFileSync(file).includes(text) ? [file] : []));
  });
}

test('a user: the installs and devices of that user', async () => {
  const [gaid, user] = [crypto.randomUUID(), `u ${crypto.randomUUID()}`];
  await click({ gaid });
  await installed(service, { gaid, user: { id: user } });
  const web = (more: Json) => ({
    event_id: crypto.randomUUID(),
    type: 'page_view',
    time: new Date().toISOString(),
    visitor_id: 'v1',
    session_id: 's1',
    url: 'https://acme.example/',
    ...more,
  });
  await post(
    service,
    JSON.stringify({
      events: [
        web({ ip: '203.0.113.203', ua: 'Mozilla/5.0 Forgettable' }),
        web({ user_id: user, properties: { city: user } }),
      ],
    }),
    { 'service-key': SERVER_KEY },
    '/collect/v1/web',
  );
  const { body } = await erase('user', encodeURIComponent(user));
  await receiptWith(body.id, 'hidden_at');
  for (const text of [gaid, user, '203.0.113.203', 'Mozilla/5.0 Forgettable'])
    expect([text, await tablesWith(text)]).toEqual([text, []]);
  expect(await service.rows("SELECT count() AS events FROM analytics.web_events WHERE visitor_id = 'v1'")).toEqual([
    { events: 2 },
  ]);
  expect(await result({ user_id: user })).toBe(204);
}, 360_000);

test('everything that records of a person hold is gone from the disk: raw, and column by column', async () => {
  const id = crypto.randomUUID;
  const mark = (what: string) => `${what}-${crypto.randomUUID()}`;
  const person = {
    gaid: id(),
    ip: '198.51.100.77',
    ua: `${ANDROID} ${mark('Shop')}`,
    user: mark('user'),
    email: `${id()}@mail.example`,
    visitor: mark('visitor'),
    session: mark('session'),
    install: mark('install'),
    reinstall: mark('install'),
  };
  const secrets: Record<string, string> = { ...person };
  const secret = (what: string) => (secrets[what] = mark(what));
  await click({
    tid: secret('tid'),
    s2: secret('s2'),
    s3: secret('s3'),
    s4: secret('s4'),
    gaid: person.gaid,
    ip: person.ip,
    ua: person.ua,
  });
  const opened = await requestLink({
    gclid: secret('gclid'),
    fbclid: secret('fbclid'),
    tid: secret('link_tid'),
    s2: secret('link_s2'),
    ad_set_id: 'set-kept',
    gaid: person.gaid,
  });
  expect(opened).toBe(302);
  const event = (type: string, more: Json) =>
    appEvent(type, {
      event_id: secret(`event_${type}_${Object.keys(secrets).length}`),
      install_id: person.install,
      gaid: person.gaid,
      ip: person.ip,
      ua: person.ua,
      user: { id: person.user, email: person.email },
      ...more,
    });
  const sent = await collectApp(service, [
    event('install', { referrer: `utm_source=${secret('referrer')}`, device: { model: secret('device') } }),
    event('open', { link: `https://go.acme.example/?c=AbC123&note=${secret('link')}` }),
    event('event', { name: 'level_up' }),
    event('payment', { amount: 5, currency: 'USD' }),
  ]);
  expect(sent.accepted).toBe(4);
  await decided(service, [person.install]);
  await collectApp(service, [event('install', { install_id: person.reinstall })]);
  await decided(service, [person.reinstall]);
  const page = (more: Json) => ({
    event_id: secret(`web_${Object.keys(secrets).length}`),
    type: 'page_view',
    time: new Date().toISOString(),
    visitor_id: person.visitor,
    session_id: person.session,
    url: `https://acme.example/u/${secret('path')}?utm_source=news&gclid=${secret('web_gclid')}&who=${secret('url')}`,
    referrer: `https://other.example/${secret('web_referrer')}`,
    ip: person.ip,
    ua: person.ua,
    ...more,
  });
  await post(
    service,
    JSON.stringify({
      events: [
        page({ user_id: person.user, properties: { note: secret('properties') } }),
        page({ type: 'event', name: 'signup', user_id: person.user }),
        page({ type: 'event', name: 'purchase', revenue: 3, user_id: person.user }),
      ],
    }),
    { 'service-key': SERVER_KEY },
    '/collect/v1/web',
  );
  await eventually(
    'the journeys and the visitor are derived',
    async () => {
      const [row] = await service.rows<{ journeys: number; visitors: number }>(
        `SELECT (SELECT count() FROM adtrail.journeys FINAL WHERE install_id = '${person.install}') AS journeys,
        (SELECT count() FROM adtrail.web_visitors FINAL WHERE visitor_id = '${person.visitor}') AS visitors`,
      );
      return row && Number(row.journeys) >= 2 && Number(row.visitors) === 1 ? true : undefined;
    },
    40_000,
  );
  const before = { counts: await counts(), ...(await figures()) };

  const { body } = await erase('user', encodeURIComponent(person.user));
  await receiptWith(body.id, 'hidden_at');
  expect({ counts: await counts(), ...(await figures()) }).toEqual(before);
  await receiptWith(body.id, 'removed_at');
  expect({ counts: await counts(), ...(await figures()) }).toEqual(before);

  for (const [what, text] of Object.entries(secrets)) {
    expect([what, await tablesWith(text)]).toEqual([what, []]);
    // Part of the data folder and of PostgreSQL's: what is stored, what is left over, logs, texts of changes.
    for (const spelling of new Set([text, text.toUpperCase()]))
      expect([what, filesWith(service.dataDir, spelling)]).toEqual([what, []]);
  }
  expect(await service.rows('SELECT count() AS subjects FROM adtrail.erasure_subjects')).toEqual([{ subjects: 0 }]);
  // What is not of the person stays: reports count by it.
  expect(
    await service.rows("SELECT count() AS clicks FROM analytics.clicks WHERE ad_set_id = 'set-kept' AND gclid = ''"),
  ).toEqual([{ clicks: 1 }]);
  // A repeat is still recognised, and brings nothing back.
  await click({ tid: secrets.tid as string, gaid: person.gaid });
  expect(await service.rows(`SELECT count() AS shown FROM analytics.clicks WHERE gaid = '${person.gaid}'`)).toEqual([
    { shown: 0 },
  ]);
  expect(await counts()).toEqual(before.counts);
}, 720_000);

async function requestLink(parameters: Record<string, string>): Promise<number> {
  const query = new URLSearchParams(parameters).toString();
  return (await openLink(service, `/AbC123?${query}`)).status;
}

/** What reports and data engineers count, apart from whose it is. */
async function figures(): Promise<Record<string, unknown>> {
  const events = await service.rows(
    'SELECT type, name, count() AS events, sum(amount) AS amount FROM analytics.app_events GROUP BY ALL ORDER BY ALL',
  );
  const web = await service.rows(
    `SELECT type, name, channel, count() AS events, uniqExact(visitor_id) AS visitors,
       uniqExact(session_id) AS sessions
     FROM analytics.web_events GROUP BY ALL ORDER BY ALL`,
  );
  const visitors = await service.rows(
    `SELECT count() AS visitors, sum(length(element.day)) AS elements, sum(length(hit.time)) AS hits,
       uniqExactArray(conversion.user) AS users,
       sum(arraySum(conversion.revenue)) AS revenue
     FROM adtrail.web_visitors FINAL WHERE notEmpty(element.day)`,
  );
  const journeys = await service.rows(
    `SELECT report_view, kind, campaign_id, count() AS journeys, uniqExact(install_id) AS installs,
       uniqExactArray(event_users) AS users, sum(length(event_days)) AS events, sum(arraySum(money_amounts)) AS money
     FROM adtrail.journeys FINAL GROUP BY ALL ORDER BY ALL`,
  );
  const { campaigns } = await appReport(service, SERVER_KEY, { unique_user_events: 'level_up', limit: '100' });
  return { events, web, visitors, journeys, campaigns };
}

describe('requests one by one', () => {
  test('to forget somebody whom nothing names is done, and so is what comes after it', async () => {
    const gaid = crypto.randomUUID();
    await click({ gaid });
    const unknown = await erase('user', 'nobody-ever');
    const alsoUnknown = await erase('gaid', crypto.randomUUID());
    const known = await erase('gaid', gaid);
    for (const { body } of [unknown, alsoUnknown, known])
      expect(await receiptWith(body.id, 'removed_at')).toMatchObject({ failure: null });
    expect(await tablesWith(gaid)).toEqual([]);
  }, 360_000);

  test('one that fails is set aside with its reason, the others go on, and the metric says how old it is', async () => {
    const gaid = crypto.randomUUID();
    await click({ gaid });
    // As after a change of ADMIN_TOKEN.
    const postgres = postgresOf(service);
    const [failing] = await postgres.rows<{ id: number }>(
      `INSERT INTO erasure_requests (project_id, kind, value) VALUES ($1, 'gaid', $2) RETURNING id`,
      [projectId, sealRequests('another-token').seal(gaid)],
    );
    await postgres.close();
    const later = await erase('gaid', gaid);
    await receiptWith(later.body.id, 'removed_at');
    const { body } = await service.admin('GET', `/projects/${projectId}/forgotten/${String(failing?.id)}`);
    expect(body).toMatchObject({ hidden_at: null, failure: expect.stringContaining('ADMIN_TOKEN') as string });
    const metrics = await (
      await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
    ).text();
    expect(Number(/^adtrail_erasure_oldest_visible_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(5);
  }, 360_000);
});
