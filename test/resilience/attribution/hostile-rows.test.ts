/**
 * Rows that are too much for one statement hold back nobody else: workers halve, set aside and go on
 * (docs/contract/derived-tables.md).
 */
import { decided } from '../../support/attribution/attribution';
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { readPostgres } from '../../support/postgres';
import { eventually, startService, type RunningService } from '../../support/service';
import { collect, report } from '../../support/collect/web';

const project = (name: string) => ({
  name,
  account: name,
  timezone: 'UTC',
  server_keys: [`server-key-of-${name}`],
  app_keys: [`app-key-of-${name}`],
  web_keys: [`web-key-of-${name}`],
  web_campaigns: true,
  apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
  campaigns: [{ display_id: 'one', name: 'One' }],
});

let service: RunningService;
beforeAll(async () => {
  // So that 200,000 events with long addresses are too much of one visitor.
  service = await startService({ TRUST_PROXY: '1', LIMIT_REPORTING: 'off', DERIVE_MEMORY_MB: '500' });
  await service.apply({
    accounts: [{ name: 'Hostile' }, { name: 'Honest' }],
    projects: ['Hostile', 'Honest'].map(project),
  });
});
afterAll(() => service.dispose());

const projectId = async (name: string) => {
  const { projects } = (await service.admin('GET', '/projects')).body as { projects: { id: number; name: string }[] };
  return projects.find((one) => one.name === name)?.id as number;
};

test('300,000 clicks and 500 installs on one address: all installs of everybody are decided', async () => {
  const id = await projectId('Hostile');
  const { campaigns } = (await service.admin('GET', `/projects/${id}/campaigns`)).body as {
    campaigns: { id: number; display_id: string }[];
  };
  const campaign = campaigns.find((one) => one.display_id === 'one')?.id as number;
  await service.clickhouse.command({
    query: `
      INSERT INTO adtrail.clicks (
        project_id, bucket, campaign_id, click_id, click_time, received_at, partner_id, kind, app_id, tid, ip, version
      )
      SELECT
        ${id}, toDate(received_at), ${campaign}, generateUUIDv4(),
        now64(3) - INTERVAL 1 HOUR - toIntervalMillisecond(number) AS click_time, click_time AS received_at, 0, 'link',
        'com.acme.shop', toString(number), '203.0.113.9',
        9007199254740991 - toUnixTimestamp64Micro(toDateTime64(received_at, 6))
      FROM numbers(300000)`,
  });
  const hostile = Array.from({ length: 500 }, (_, i) => `hostile-${i}`);
  const sent = await collectApp(
    service,
    hostile.map((install_id) => appEvent('install', { install_id })),
    { 'app-key': 'app-key-of-Hostile', 'x-forwarded-for': '203.0.113.9' },
  );
  expect(sent.accepted).toBe(500);
  const honest = await collectApp(service, [appEvent('install', { install_id: 'honest' })], {
    'service-key': 'server-key-of-Honest',
  });
  expect(honest.accepted).toBe(1);
  expect((await decided(service, ['honest'], 120_000)).get('honest')).toMatchObject({ rule: 'organic' });
  const rows = [...(await decided(service, hostile, 120_000)).values()];
  expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(['ip_click']));
  const [latest] = await service.rows<{ click_id: string }>(
    `SELECT click_id FROM adtrail.clicks WHERE project_id = ${id} ORDER BY click_time DESC LIMIT 1`,
  );
  expect(new Set(rows.map(({ touch_id }) => touch_id))).toEqual(new Set([latest?.click_id]));
}, 900_000);

test("a visitor whose events need too much memory holds back its own project's report, nobody else's", async () => {
  const id = await projectId('Hostile');
  await service.clickhouse.command({
    query: `
      INSERT INTO adtrail.web_events (
        project_id, visitor_id, id, event_id, type, time, received_at, session_id, url, channel, version
      )
      SELECT
        ${id}, 'everybody', generateUUIDv4(), toString(number), 'page_view', now64(3) - toIntervalSecond(number),
        now64(3), toString(number), 'https://shop.example/?' || repeat('x', 2000), 'direct', 9007199254740991 - number
      FROM numbers(200000)`,
  });
  const event = (visitor_id: string) => ({
    event_id: `${visitor_id}-1`,
    type: 'page_view',
    time: new Date().toISOString(),
    visitor_id,
    session_id: 's',
    url: 'https://shop.example/?utm_source=news&utm_medium=email',
  });
  expect(await collect(service, { 'web-key': 'web-key-of-Honest' }, [event('honest')])).toMatchObject({ status: 202 });
  expect(await collect(service, { 'web-key': 'web-key-of-Hostile' }, [event('beside')])).toMatchObject({ status: 202 });
  const readVisitors = async (name: string) => {
    const { status, body } = await report(service, `server-key-of-${name}`, { group_by: 'source' });
    expect([200, 503]).toContain(status);
    return status === 200 ? (body.data?.totals as { visitors: number }).visitors : undefined;
  };
  expect(await eventually('the honest report', () => readVisitors('Honest'), 240_000)).toBe(1);

  // For a while after a change of the project, here its first one, what is set aside is tried again at once.
  const quarantined = await eventually('it stays set aside', async () => {
    const { quarantine } = (await service.admin('GET', '/quarantine')).body as { quarantine: { state: string }[] };
    return quarantine.some(({ state }) => state === 'retry') ? undefined : quarantine;
  });
  expect(quarantined).toEqual([
    expect.objectContaining({ worker: 'web-visitors', project_id: id, entity: 'everybody', state: 'set_aside' }),
  ]);
  // Figures known to be incomplete are never shown.
  expect(await readVisitors('Hostile')).toBeUndefined();
  expect(
    await service.rows(
      `SELECT visitor_id FROM adtrail.web_visitors FINAL WHERE project_id = ${id} AND notEmpty(\`element.day\`)`,
    ),
  ).toEqual([{ visitor_id: 'beside' }]);

  const dismissed = await service.admin('POST', '/quarantine/dismiss', { entity: 'everybody' });
  expect([dismissed.status, dismissed.body]).toEqual([
    202,
    { quarantine: [expect.objectContaining({ entity: 'everybody', state: 'dismissed' })] },
  ]);
  expect(await readVisitors('Hostile')).toBe(1);
}, 1_200_000);

test('what is set aside and can be derived after all leaves the quarantine when it is tried again', async () => {
  const id = await projectId('Honest');
  const toRow = (worker: string, entity: string) => {
    const row = { worker, entity, project_id: id };
    return { ...row, state: 'set_aside', reason: 'a test', set_aside_at: 0 };
  };
  let tries = 0;
  // For a while after a change of the project, here its first one, what is set aside is tried again at once.
  const late = await eventually(
    'what is set aside stays so',
    async () => {
      tries += 1;
      const [install, next] = [`late-${tries}`, `next-${tries}`];
      await service.clickhouse.insert({
        table: 'adtrail.quarantine',
        values: [toRow('web-visitors', 'honest'), toRow('attribution', install), toRow('install-journeys', install)],
        format: 'JSONEachRow',
      });
      for (const install_id of [install, next])
        await collectApp(service, [appEvent('install', { install_id })], { 'service-key': 'server-key-of-Honest' });
      await decided(service, [next], 60_000);
      const rows = await service.rows(`SELECT 1 FROM adtrail.installs WHERE install_id = '${install}'`);
      return rows.length === 0 ? install : undefined;
    },
    120_000,
  );
  expect((await report(service, 'server-key-of-Honest')).status).toBe(503);
  expect((await service.admin('POST', '/quarantine/retry', { project_id: id })).status).toBe(202);
  await decided(service, [late], 60_000);
  await eventually(
    'the quarantine holds nothing of the project',
    async () => {
      const { quarantine } = (await service.admin('GET', '/quarantine')).body as {
        quarantine: { project_id: number }[];
      };
      return quarantine.some((one) => one.project_id === id) ? undefined : true;
    },
    60_000,
  );
  expect((await report(service, 'server-key-of-Honest')).status).toBe(200);
  await eventually('its journey is derived', async () => {
    const rows = await service.rows(`SELECT 1 FROM adtrail.journeys FINAL WHERE install_id = '${late}'`);
    return rows.length === 1 ? true : undefined;
  });
}, 600_000);

test('what is set aside is tried again when the configuration of its project changes', async () => {
  const postgres = readPostgres(service);
  const id = await projectId('Honest');
  const setTimezone = (timezone: string) =>
    postgres.tx(async (db) => {
      await db.rows('UPDATE projects SET timezone = $1 WHERE id = $2', [timezone, id]);
      await db.rows('UPDATE configuration SET revision = revision + 1');
      await db.rows("SELECT pg_notify('adtrail_configuration', '')");
    });
  // As earlier versions stored it: Node knows the name, ClickHouse does not.
  await setTimezone('europe/berlin');
  await collectApp(service, [appEvent('install', { install_id: 'zoned' })], { 'service-key': 'server-key-of-Honest' });
  const setAside = async () =>
    ((await service.admin('GET', '/quarantine')).body as { quarantine: Record<string, unknown>[] }).quarantine.filter(
      ({ project_id, state }) => project_id === id && state === 'set_aside',
    );
  await eventually(
    'its journey is set aside',
    async () => ((await setAside()).some(({ worker }) => worker === 'install-journeys') ? true : undefined),
    60_000,
  );
  expect(await service.admin('PUT', `/projects/${id}`, { timezone: 'europe/Berlin' })).toMatchObject({ status: 200 });
  await eventually(
    'its journey is derived',
    async () => {
      const rows = await service.rows("SELECT 1 FROM adtrail.journeys FINAL WHERE install_id = 'zoned'");
      return rows.length === 1 && (await setAside()).length === 0 ? true : undefined;
    },
    60_000,
  );
  expect((await report(service, 'server-key-of-Honest')).status).toBe(200);

  await setTimezone('utc');
  await postgres.close();
  await service.stop();
  await service.restart();
  const { projects } = (await service.admin('GET', '/projects')).body as {
    projects: { id: number; timezone: string }[];
  };
  expect(projects.find((one) => one.id === id)?.timezone).toBe('UTC');
}, 600_000);

test('a body that is no choice is 400', async () => {
  expect(await service.admin('POST', '/quarantine/retry', { all: true })).toMatchObject({ status: 400 });
});
