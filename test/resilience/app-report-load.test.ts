/** Large reports: those over their budget end clearly, and several at once queue while ingest goes on. */
import { report } from '../support/app-report';
import { idByName } from '../support/s2s-client';
import { startService, type RunningService } from '../support/service';

const KEY = 'server-key';
const ROWS = 300_000;
let service: RunningService;
beforeAll(async () => {
  service = await startService({ LIMIT_REPORTING: 'off', LIMIT_IP: 'off' });
  await service.apply({
    accounts: [{ name: 'A' }],
    partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
    projects: [
      {
        name: 'P',
        account: 'A',
        timezone: 'UTC',
        server_keys: [KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.p' }],
        partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'c1', name: 'One', partner: 'Mobi Ads' }],
      },
    ],
  });
  const projectId = await idByName(service, 'projects', 'P');
  const { campaigns } = (await service.admin('GET', `/projects/${projectId}/campaigns`)).body as {
    campaigns: { id: number; display_id: string }[];
  };
  await service.clickhouse.command({
    query: `
    INSERT INTO adtrail.journeys (project_id, report_view, campaign_id, root_install, conversion_id, kind, install_id,
      platform, start_time, start_day, event_days, event_names, event_users, version)
    SELECT ${projectId}, 1, ${campaigns.find((one) => one.display_id === 'c1')?.id}, generateUUIDv4(number),
      toUUID('00000000-0000-0000-0000-000000000000'), 1, toString(number), 'ANDROID', now64(3), today(),
      [today(), today()], ['level', 'level'], [number, number + 1], 1 FROM numbers(${ROWS})`,
  });
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.event_names (project_id, kind, name) VALUES (${projectId}, 1, 'level')`,
  });
}, 360_000);
afterAll(() => service.dispose());

test('four large reports at once are all answered, and no click is lost meanwhile', async () => {
  const reports = Array.from({ length: 4 }, () => report(service, KEY, { unique_user_events: 'level' }));
  let clicking = true;
  const clicks: number[] = [];
  const ingest = (async () => {
    for (let i = 0; clicking; i++)
      clicks.push(
        (
          await service.request(`/v1/click/com.p?c=c1&tid=load-${i}&gaid=38400000-8cf0-11bd-b23e-10b96e40000d`, {
            headers: { 'X-Service-Token': 'token' },
          })
        ).status,
      );
  })();
  for (const answer of await Promise.all(reports)) {
    expect(answer.status).toBe(200);
    const row = answer.campaigns.find((one) => one.display_id === 'c1');
    expect(row).toMatchObject({
      installs: ROWS.toLocaleString('en-US'),
      custom_events: { level: { count: (ROWS + 1).toLocaleString('en-US') } },
      active_users: 0,
    });
  }
  clicking = false;
  await ingest;
  expect(new Set(clicks)).toEqual(new Set([200]));
  const [stored] = await service.rows<{ n: number }>(
    "SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE tid LIKE 'load-%'",
  );
  expect(stored?.n).toBe(clicks.length);
}, 360_000);

test('a report over its budget of memory is refused, and ends inside ClickHouse too', async () => {
  await service.stop();
  await service.restart({ LIMIT_REPORTING: 'off', LIMIT_IP: 'off', REPORT_MEMORY_MB: '8' });
  const answer = await report(service, KEY, { unique_user_events: 'level' });
  expect({ status: answer.status, msg: answer.body.msg }).toEqual({
    status: 503,
    msg: 'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.',
  });
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(
    await service.rows(
      `SELECT query
       FROM system.processes
       WHERE query LIKE '%adtrail.journeys%' AND query NOT LIKE '%system.processes%' AND query NOT LIKE '%INSERT%'`,
    ),
  ).toEqual([]);
}, 360_000);
