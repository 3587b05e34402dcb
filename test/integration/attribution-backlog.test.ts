/** What was stored before the attribution worker first ran is processed before any install is decided. */
import { installed } from '../support/attribution';
import { SERVER_KEY } from '../support/collect-client';
import { startService, type RunningService } from '../support/service';

const CLICKS = 6_000;
const gaid = (n: number) => `38400000-8cf0-11bd-b23e-${String(n).padStart(12, '0')}`;
const clickId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ ROLES: 'api' });
  await service.apply({
    accounts: [{ name: 'Acme' }],
    projects: [
      {
        name: 'Shop',
        account: 'Acme',
        timezone: 'UTC',
        server_keys: [SERVER_KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
        campaigns: [{ display_id: 'one', name: 'One' }],
      },
    ],
  });
});
afterAll(() => service.dispose());

test('thousands of inserts while no worker runs, and one minute with many rows', async () => {
  const { campaigns } = (await service.admin('GET', '/projects/1/campaigns')).body as {
    campaigns: { id: number; display_id: string }[];
  };
  const id = campaigns.find((one) => one.display_id === 'one')?.id as number;
  const click = (number: string, storedAt: string) => `
    INSERT INTO adtrail.clicks (project_id, bucket, campaign_id, click_id, click_time, received_at, stored_at,
      partner_id, kind, app_id, tid, gaid, version)
    SELECT 1, toDate(received_at), ${id},
      toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(${number}), 12, '0'))),
      now64(3) - INTERVAL 2 HOUR, now64(3) - INTERVAL 2 HOUR AS received_at, ${storedAt}, 0, 'link', 'com.acme.shop',
      toString(${number}), toUUID(concat('38400000-8cf0-11bd-b23e-', leftPad(toString(${number}), 12, '0'))),
      9007199254740991 - toUnixTimestamp64Micro(toDateTime64(received_at, 6)) `;
  // Each as if by an insert of its own, over the better part of an hour; and then as many by one.
  await service.clickhouse.command({
    query:
      click('number', 'now64(3) - INTERVAL 1 HOUR + toIntervalMillisecond(number * 500)') + `FROM numbers(${CLICKS})`,
  });
  await service.clickhouse.command({
    query: `${click(`number + ${CLICKS}`, 'now64(3) - INTERVAL 1 MINUTE')} FROM numbers(${CLICKS})`,
  });
  await service.stop();
  await service.restart({ ROLES: 'api,collect,attribution' });
  for (const n of [0, 1, CLICKS / 2, CLICKS - 1, CLICKS, 2 * CLICKS - 1]) {
    expect({ n, ...(await installed(service, { gaid: gaid(n) })) }).toMatchObject({
      n,
      rule: 'device_click',
      touch_id: clickId(n),
    });
  }
  expect(
    await service.rows(
      'SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(touch_id)) AS touches ' +
        'FROM adtrail.touches_by_identifier FINAL',
    ),
  ).toEqual([{ rows: 2 * CLICKS, touches: 2 * CLICKS }]);
}, 360_000);
