/**
 * Erasing persons, several at once: hidden from every endpoint and view, removed from the disk, and every count as it
 * was (docs/contract/attribution.md: Forgetting a person).
 */
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LOCKS, withLock } from '../../../src/db/advisory-lock';
import { sealRequests } from '../../../src/erasure/sealed';
import { createSeals } from '../../../src/lib/seal';
import { report as appReport } from '../../support/reports/app-report';
import { caughtUp } from '../../support/caught-up';
import { decided } from '../../support/attribution/attribution';
import { appEvent, post, SERVER_KEY, type Json } from '../../support/collect/collect-client';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../../support/service';
import { ANDROID, openLink } from '../../support/links/links';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { TOKEN, workspaceWithServerKey } from '../../support/workspace/workspace';

/** With its own engines: everything in them is counted, and looked for on the disk. */
let service: RunningService;
let shop: number;
/** Where a person goes on sending while others are forgotten, whose counts stay. */
let other: number;
const OTHER_KEY = 'server-key-of-clicks-only';
/** Whose time zone is changed. */
let moving: number;
const MOVING_KEY = 'server-key-of-traffic-only';
/** The workspace with the keys, and the moving project in a time zone. */
const workspaceIn = (timezone: string) => {
  const { projects, ...more } = workspaceWithServerKey(SERVER_KEY);
  const changes: Record<string, object> = {
    'Clicks Only': { server_keys: [OTHER_KEY] },
    'Traffic Only': { server_keys: [MOVING_KEY], timezone },
  };
  return { ...more, projects: projects.map((project) => ({ ...project, ...changes[project.name] })) };
};

beforeAll(async () => {
  service = await startService({ LIMIT_DATA: 'off', LIMIT_IP: 'off', LIMIT_REPORTING: 'off' });
  await service.apply(workspaceIn('UTC'));
  shop = await idByName(service, 'projects', 'Acme Shop');
  other = await idByName(service, 'projects', 'Clicks Only');
  moving = await idByName(service, 'projects', 'Traffic Only');
});
afterAll(() => service.dispose());

async function touch(parameters: Record<string, string>, kind = 'click'): Promise<void> {
  const query = new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), ...parameters });
  const response = await service.request(`/v1/${kind}/com.acme.shop?${query.toString()}`, {
    headers: { 'X-Service-Token': TOKEN },
  });
  if (response.status !== 200) throw new Error(await response.text());
}

async function send(kind: 'app' | 'web', events: readonly Json[], key = SERVER_KEY): Promise<void> {
  const answer = await post(service, JSON.stringify({ events }), { 'service-key': key }, `/collect/v1/${kind}`);
  expect(answer).toMatchObject({ status: 202, accepted: events.length });
}

const ask = async (path: string) => {
  const answer = await service.request(`/api/v1/${path}`, { headers: { 'service-key': SERVER_KEY } });
  return { status: answer.status, body: answer.status === 200 ? ((await answer.json()) as Json) : {} };
};
const result = async (query: Record<string, string>) =>
  (await ask(`get-attribution-result?${new URLSearchParams(query).toString()}`)).status;

const erase = (kind: string, value: string, project = shop) =>
  service.admin('DELETE', `/projects/${project}/devices/${kind}/${encodeURIComponent(value)}`);
const readReceipt = async (id: unknown, project = shop) =>
  (await service.admin('GET', `/projects/${project}/forgotten/${String(id)}`)).body;
/** Waits until a receipt shows a time. */
const receiptWith = (id: unknown, field: 'hidden_at' | 'removed_at', project = shop) =>
  eventually(
    `receipt ${String(id)} has ${field}`,
    async () => {
      const body = await readReceipt(id, project);
      if (body.failure) throw new Error(`receipt ${String(id)}: ${JSON.stringify(body.failure)}`);
      return body[field] ? body : undefined;
    },
    110_000,
  );

/** Which of the texts, none with a slash, are anywhere in the tables and views of the product, and where. */
async function inTables(texts: readonly string[]): Promise<string[]> {
  const tables = await service.rows<{ name: string }>(
    `SELECT concat(database, '.', name) AS name FROM system.tables WHERE database IN ('adtrail', 'analytics')`,
  );
  const wanted = texts.map((text) => `'${text.toLowerCase()}'`).join(', ');
  const found = await service.rows<{ name: string; held: string[] }>(
    tables
      .map(
        ({ name }) => `SELECT '${name}' AS name, groupUniqArrayArray(
            arrayFilter(text -> position(lower(toJSONString(tuple(*))), text) > 0, [${wanted}])) AS held
          FROM ${name}`,
      )
      .join(' UNION ALL '),
  );
  return found.flatMap(({ name, held }) => held.map((text) => `${text} in ${name}`)).sort();
}

/**
 * Which of the texts are in files of the data folder, in any case: what is stored, what is left over, logs, texts of
 * changes. ClickHouse keeps what it stores compressed: a text that is random enough stays readable in what is left.
 */
function onDisk(texts: readonly string[]): string[] {
  const { stdout, stderr, error } = spawnSync('grep', ['-raoiF', '-f', '-', service.dataDir], {
    input: texts.join('\n'),
    encoding: 'latin1',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 2 ** 28,
  });
  // Old parts are deleted while they are looked at: what is deleted has no text.
  const failed = stderr.split('\n').filter((line) => line && !line.endsWith('No such file or directory'));
  if (error || failed.length > 0) throw new Error(`grep: ${error?.message ?? failed.join('\n')}`);
  return [...new Set(stdout.split('\n').filter(Boolean))];
}

/** What reports and data engineers count of the shop, apart from whose it is. */
async function figures(): Promise<Record<string, unknown>> {
  const of = `WHERE project_id = ${shop}`;
  const queries = {
    counts: `SELECT (SELECT count() FROM analytics.clicks ${of}) AS clicks,
       (SELECT count() FROM analytics.impressions ${of}) AS impressions,
       (SELECT count() FROM analytics.installs ${of}) AS installs`,
    events: `SELECT type, name, count() AS events, sum(amount) AS amount
       FROM analytics.app_events ${of} GROUP BY ALL ORDER BY ALL`,
    web: `SELECT type, name, channel, count() AS events, uniqExact(visitor_id) AS visitors,
         uniqExact(session_id) AS sessions
       FROM analytics.web_events ${of} GROUP BY ALL ORDER BY ALL`,
    visitors: `SELECT count() AS visitors, sum(length(element.day)) AS elements, sum(length(hit.time)) AS hits,
         uniqExactArray(conversion.user) AS users, sum(arraySum(conversion.revenue)) AS revenue
       FROM adtrail.web_visitors FINAL ${of} AND notEmpty(element.day)`,
    journeys: `SELECT report_view, kind, campaign_id, count() AS journeys, uniqExact(install_id) AS installs,
         uniqExactArray(event_users) AS users, sum(length(event_days)) AS events, sum(arraySum(money_amounts)) AS money
       FROM adtrail.journeys FINAL ${of} GROUP BY ALL ORDER BY ALL`,
  };
  const found = await Promise.all(Object.values(queries).map((query) => service.rows(query)));
  const { campaigns } = await appReport(service, SERVER_KEY, { unique_user_events: 'level_up', limit: '100' });
  return { ...Object.fromEntries(Object.keys(queries).map((name, i) => [name, found[i]])), campaigns };
}

test.each([
  ['a kind that is none', () => erase('ip', '203.0.113.1'), 400],
  ['an advertising ID that is none', () => erase('gaid', 'abc'), 400],
  ['an unknown project', () => erase('user', 'x', 99_999), 404],
  ['an unknown receipt', () => service.admin('GET', `/projects/${shop}/forgotten/99999`), 404],
  ['no token', () => service.request(`/admin/v1/projects/${shop}/devices/user/x`, { method: 'DELETE' }), 401],
])('%s is refused', async (_, answer, status) => {
  expect((await answer()).status).toBe(status);
});

const mark = (what: string) => `${what}-${crypto.randomUUID()}`;
const page = (more: Json) => ({
  event_id: crypto.randomUUID(),
  type: 'page_view',
  time: new Date().toISOString(),
  session_id: 'session',
  url: 'https://acme.example/',
  ...more,
});

/** Asked to be forgotten by device; somebody beside it has a name that contains the person's. */
async function sendDevice() {
  const person = {
    gaid: crypto.randomUUID(),
    email: `${crypto.randomUUID()}@mail.example`,
    ip: '203.0.113.201',
    ua: mark('Forgettable'),
  };
  const { gaid, email, ip, ua } = person;
  const [user, install, stays] = [mark('user'), mark('install'), crypto.randomUUID()];
  await touch({ gaid, ip, ua });
  await touch({ gaid }, 'impression');
  await touch({ gaid: stays, ip: '203.0.113.202' });
  await send('app', [
    appEvent('install', {
      install_id: install,
      gaid,
      ip,
      ua,
      user: { id: user, email },
      device: { android_id: email },
    }),
    appEvent('install', { install_id: mark('install'), gaid: stays, user: { id: `other-${user}` } }),
    appEvent('payment', { install_id: install, user: { id: user } }),
  ]);
  return { person, user, install, stays };
}

/** Asked to be forgotten by user, with something to find in every field that records of a person have. */
async function sendUser() {
  const secrets: Record<string, string> = {
    gaid: crypto.randomUUID(),
    ip: '198.51.100.77',
    ua: mark('Shop'),
    browser: mark('Browser'),
    // A name is not only what fits into a path.
    user: `u ${crypto.randomUUID()}`,
    email: `${crypto.randomUUID()}@mail.example`,
    visitor: mark('visitor'),
    session: mark('session'),
    install: mark('install'),
    reinstall: mark('install'),
  };
  const { gaid, ip } = secrets as { gaid: string; ip: string };
  const ua = `${ANDROID} ${secrets.ua}`;
  const secret = (what: string) => (secrets[what] = mark(what));
  const click = { tid: secret('tid'), s2: secret('s2'), s3: secret('s3'), s4: secret('s4'), gaid, ip, ua };
  await touch(click);
  const link = new URLSearchParams({
    gclid: secret('gclid'),
    fbclid: secret('fbclid'),
    tid: secret('link_tid'),
    s2: secret('link_s2'),
    ad_set_id: 'set-kept',
    gaid,
  });
  expect((await openLink(service, `/AbC123?${link.toString()}`)).status).toBe(302);
  const user = { id: secrets.user, email: secrets.email };
  const event = (type: string, more: Json) =>
    appEvent(type, {
      event_id: secret(`event_${Object.keys(secrets).length}`),
      install_id: secrets.install,
      gaid,
      ip,
      ua,
      user,
      ...more,
    });
  await send('app', [
    event('install', {
      referrer: `utm_source=${secret('referrer')}`,
      device: { model: secret('device'), os_version: secret('system') },
    }),
    event('open', { link: `https://go.acme.example/?c=AbC123&note=${secret('link')}` }),
    event('event', { name: 'level_up' }),
    event('payment', { amount: 5, currency: 'USD' }),
  ]);
  await decided(service, [secrets.install as string]);
  await send('app', [event('install', { install_id: secrets.reinstall })]);
  const visit = (more: Json) =>
    page({
      event_id: secret(`web_${Object.keys(secrets).length}`),
      visitor_id: secrets.visitor,
      session_id: secrets.session,
      url: `https://acme.example/u/${secret('path')}?utm_source=news&gclid=${secret('web_gclid')}&who=${secret('url')}`,
      referrer: `https://other.example/${secret('web_referrer')}`,
      ip,
      ua: `${ANDROID} ${secrets.browser}`,
      ...more,
    });
  const user_id = secrets.user;
  await send('web', [
    // Known to be of the person by the visitor alone.
    visit({}),
    visit({ user_id, properties: { note: secret('properties'), city: user_id } }),
    visit({ type: 'event', name: 'signup', user_id }),
    visit({ type: 'event', name: 'purchase', revenue: 3, user_id }),
  ]);
  return { secrets, click };
}

/** Sends events of one person in the other project until `end` is called, which resolves with how many. */
async function sendOnAndOn() {
  const [install_id, gaid, user, secret] = [mark('install'), crypto.randomUUID(), mark('user'), mark('secret')];
  const both = (note: string) =>
    Promise.all([
      send(
        'app',
        [appEvent('event', { app_id: 'com.clicks', install_id, gaid, user: { id: user }, device: { note } })],
        OTHER_KEY,
      ),
      send('web', [page({ visitor_id: `visitor of ${user}`, user_id: user, properties: { note } })], OTHER_KEY),
    ]);
  await send('app', [appEvent('install', { app_id: 'com.clicks', install_id, gaid, user: { id: user } })], OTHER_KEY);
  await both(secret);
  await decided(service, [install_id]);
  let isOver = false;
  const sending = (async () => {
    for (let sent = 0; ; sent++) {
      if (isOver) return sent;
      await both('later');
      await sleep(200);
    }
  })();
  // A failure is told where the end is waited for.
  sending.catch(() => undefined);
  return { install_id, user, secret, end: () => ((isOver = true), sending) };
}

test('persons are hidden and then removed, everything of others and every count stays', async () => {
  const [device, user] = await Promise.all([sendDevice(), sendUser()]);
  const { secrets } = user;
  const [gaid, gaidOfFailing] = [crypto.randomUUID(), crypto.randomUUID()];
  await touch({ gaid });
  await touch({ gaid: gaidOfFailing });
  const texts = [...Object.values(device.person), ...Object.values(secrets), gaid, gaidOfFailing];
  await eventually(
    'the journeys and the visitor are derived',
    async () => {
      const [row] = await service.rows<{ journeys: number; visitors: number }>(
        `SELECT (SELECT count() FROM adtrail.journeys FINAL WHERE install_id = '${secrets.install}') AS journeys,
        (SELECT count() FROM adtrail.web_visitors FINAL WHERE visitor_id = '${secrets.visitor}') AS visitors`,
      );
      return row && Number(row.journeys) >= 2 && Number(row.visitors) === 1 ? true : undefined;
    },
    40_000,
  );
  for (const user_id of [device.user, secrets.user as string])
    await eventually(`${user_id} is known`, async () => ((await result({ user_id })) === 200 ? true : undefined));
  await decided(service, [device.install, secrets.reinstall as string]);
  const goingOn = await sendOnAndOn();
  const before = await figures();
  // Else that nothing is found later would say nothing.
  const foundBefore = new Set((await inTables(texts)).map((found) => found.slice(0, found.lastIndexOf(' in '))));
  expect(texts.filter((text) => !foundBefore.has(text.toLowerCase()))).toEqual([]);
  expect(onDisk(texts).length).toBeGreaterThan(texts.length / 2);

  // Nothing names these two; what comes after them is done all the same.
  const unknown = [await erase('user', 'nobody-ever'), await erase('gaid', crypto.randomUUID())];
  // As after a change of SEAL_KEY: it fails, and the others go on.
  const postgres = readPostgres(service);
  const [failing] = await postgres.rows<{ id: number }>(
    `INSERT INTO erasure_requests (project_id, kind, value) VALUES ($1, 'gaid', $2) RETURNING id`,
    [shop, sealRequests(createSeals('another-key', [])).seal(gaidOfFailing)],
  );
  await postgres.close();
  const last = await erase('user', goingOn.user, other);
  const named = [
    await erase('gaid', gaid),
    await erase('gaid', gaidOfFailing),
    await erase('gaid', device.person.gaid.toUpperCase()),
    await erase('user', secrets.user as string),
  ];
  expect(named.map(({ status, body }) => [status, body.removed_at])).toEqual(Array(4).fill([202, null]));

  for (const { body } of named) await receiptWith(body.id, 'hidden_at');
  // Keys of rows, which only tell what belongs together, go with the rows.
  const isKey = (text: string) => /^(install|visitor|session|event_\d+|web_\d+)-/.test(text);
  expect(await inTables(texts.filter((text) => !isKey(text)))).toEqual([]);
  // What is left of the name is that of another, which contains it.
  expect((await inTables([device.user])).map((found) => found.replace(device.user, `other-${device.user}`))).toEqual(
    await inTables([`other-${device.user}`]),
  );
  expect(await figures()).toEqual(before);
  expect(await result({ device_identifier: device.person.gaid })).toBe(204);
  expect(await result({ user_id: secrets.user as string })).toBe(204);
  expect(await result({ device_identifier: device.stays })).toBe(200);
  expect(
    await service.rows(
      // A slow machine may have given it its random ID by now, as well as those of the other person.
      `SELECT DISTINCT rule, campaign_display_id
       FROM analytics.installs
       WHERE install_id = '${device.install}' OR startsWith(install_id, 'forgotten-') AND project_id = ${shop}`,
    ),
  ).toEqual([{ rule: 'device_click', campaign_display_id: 'AbC123' }]);
  const { data } = (await ask('attributed-users?display_id=AbC123')).body as { data: { total_users: number } };
  expect(data.total_users).toBe(4);
  expect(JSON.stringify(data)).not.toContain(device.person.email);

  for (const { body } of [...unknown, ...named])
    expect(await receiptWith(body.id, 'removed_at')).toMatchObject({ kind: body.kind, failure: null });
  expect(await figures()).toEqual(before);
  expect(await inTables(texts)).toEqual([]);
  expect(onDisk(texts)).toEqual([]);
  // What is not of the person stays: reports count by it.
  expect(
    await service.rows("SELECT count() AS clicks FROM analytics.clicks WHERE ad_set_id = 'set-kept' AND gclid = ''"),
  ).toEqual([{ clicks: 1 }]);
  // A repeat is still recognised, and brings nothing back.
  await touch(user.click);
  expect(await service.rows(`SELECT count() AS shown FROM analytics.clicks WHERE gaid = '${user.click.gaid}'`)).toEqual(
    [{ shown: 0 }],
  );
  expect(await figures()).toEqual(before);

  expect(await readReceipt(failing?.id)).toMatchObject({
    hidden_at: null,
    failure: expect.stringContaining('SEAL_KEY') as string,
  });
  const metrics = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  const oldest = /^adtrail_erasure_oldest_visible_seconds (\S+)$/m.exec(await metrics.text())?.[1];
  expect(Number(oldest)).toBeGreaterThan(5);
  const { forgotten } = (await service.admin('GET', `/projects/${shop}/forgotten`)).body;
  expect(forgotten).toHaveLength(unknown.length + named.length + 1);

  // Nothing older is left of the person who keeps sending, and every later event stays.
  const receipt = await eventually(
    'the request of who goes on sending is through',
    async () => {
      const answer = await readReceipt(last.body.id, other);
      expect(answer.failure).toBeNull();
      return answer.removed_at ? answer : undefined;
    },
    110_000,
  );
  expect(await goingOn.end()).toBeGreaterThan(10);
  expect(await inTables([goingOn.secret])).toEqual([]);
  // What arrived before everything was hidden is of the request, too.
  const isLater = `received_at > parseDateTime64BestEffort('${String(receipt.hidden_at)}', 3)`;
  const [kept] = await service.rows<Json>(
    `SELECT countIf(position(device, 'later') > 0) AS app, count() AS received
     FROM analytics.app_events
     WHERE install_id = '${goingOn.install_id}' AND ${isLater}`,
  );
  expect(kept?.app).toBe(kept?.received);
  expect(Number(kept?.app)).toBeGreaterThan(10);
  expect(await service.rows('SELECT count() AS subjects FROM adtrail.erasure_subjects')).toEqual([{ subjects: 0 }]);
}, 900_000);

/** The journeys of the moving project with what is counted of them: no IDs, since those change. */
const journeys = () =>
  service.rows<Json>(
    `SELECT kind, count() AS journeys, uniqExact(root_install) AS roots, uniqExactArray(event_users) AS users,
       sum(length(event_names)) AS events, sum(arraySum(money_amounts)) AS money
     FROM adtrail.journeys FINAL WHERE project_id = ${moving} GROUP BY kind ORDER BY kind`,
  );

test('a reinstall stays one of its install while its person is forgotten and afterwards', async () => {
  const [install_id, again, gaid, user] = [mark('install'), mark('install'), crypto.randomUUID(), mark('user')];
  const event = (type: string, install: string, more: Json = {}) =>
    send(
      'app',
      [appEvent(type, { app_id: 'com.traffic', install_id: install, gaid, user: { id: user }, ...more })],
      MOVING_KEY,
    );
  const money = { amount: 7, currency: 'USD' };
  await event('install', install_id);
  await decided(service, [install_id]);
  await event('install', again);
  await decided(service, [again]);
  await event('payment', again, money);
  await event('event', install_id, { name: 'level_up' });
  const both = [
    { kind: 'install', journeys: 1, roots: 1, users: 1, events: 1, money: 7 },
    { kind: 'reinstall', journeys: 1, roots: 1, users: 1, events: 1, money: 7 },
  ];
  await caughtUp(service);
  expect(await journeys()).toEqual(both);

  const receipt = await erase('user', user, moving);
  await receiptWith(receipt.body.id, 'hidden_at', moving);
  // What is hidden is not removed while the device goes on sending.
  const postgres = readPostgres(service);
  const later = await withLock(postgres, LOCKS.erasure, async () => {
    // Each by itself: the other one is not derived anew because something of it was stored.
    await event('event', install_id, { name: 'level_up' });
    await caughtUp(service);
    await event('payment', again, money);
    const [install, reinstall] = both;
    // A user who is known on a device that is not forgotten counts as two.
    const expected = [
      { ...install, users: 2, events: 2, money: 14 },
      { ...reinstall, users: 2, events: 2, money: 14 },
    ];
    await caughtUp(service);
    expect(await journeys()).toEqual(expected);
    return expected;
  });
  await postgres.close();
  await receiptWith(receipt.body.id, 'removed_at', moving);
  expect(await journeys()).toEqual(later);

  const oldest = () =>
    service.rows(`SELECT min(version) AS version FROM adtrail.journeys FINAL WHERE project_id = ${moving}`);
  const before = await oldest();
  await service.apply(workspaceIn('Asia/Tokyo'));
  await eventually('everything is derived anew', async () =>
    isDeepStrictEqual(await oldest(), before) ? undefined : true,
  );
  // What was received later is of no install that is known.
  expect(await journeys()).toEqual(both);
}, 300_000);

test('installs are found by their devices until no journey is derived from records that name them', async () => {
  const [install_id, gaid] = [mark('install'), crypto.randomUUID()];
  await send('app', [appEvent('install', { app_id: 'com.clicks', install_id, gaid })], OTHER_KEY);
  await decided(service, [install_id]);
  await caughtUp(service);
  const count = async (table: string, where: string) =>
    Number((await service.rows<{ rows: number }>(`SELECT count() AS rows FROM ${table} WHERE ${where}`))[0]?.rows);
  const named = () => count('adtrail.records_by_install', `position(person, '${gaid}') > 0`);
  const found = () => count('adtrail.installs_by_identifier', `value = '${gaid}'`);
  expect([await named(), await found()].every((rows) => rows > 0)).toBe(true);
  const postgres = readPostgres(service);
  // As during a run that derives journeys.
  const receipt = await withLock(postgres, LOCKS.appReports, async () => {
    const { body } = await erase('gaid', gaid, other);
    await eventually('no record names it', async () => ((await named()) === 0 ? true : undefined));
    await sleep(2_000);
    expect([(await readReceipt(body.id, other)).hidden_at, await found()]).toEqual([null, 1]);
    return body.id;
  });
  await postgres.close();
  await receiptWith(receipt, 'hidden_at', other);
  expect(await found()).toBe(0);
});
