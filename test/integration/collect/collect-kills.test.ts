/**
 * What the collectors have acknowledged is there after SIGKILL, once, and a process that has just been started knows of
 * it: events of apps and websites, and spend.
 */
import { appEvent, collectApp, post, type Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { answered, eventually, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';
import { collect } from '../../support/collect/web';

const shared = sharedService();
const own = ownNames('collect-kills');
const SERVER = { 'service-key': own('server') };
const APP = { 'app-key': own('app') };
const WEB = { 'web-key': own('web') };
/** Its process is killed, not the engines. */
let service: RunningService;

beforeAll(async () => {
  service = await startBeside(shared, {});
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['server'],
          app_keys: ['app'],
          web_keys: ['web'],
          apps: [{ platform: 'ANDROID', app_id: 'com.kills' }],
          campaigns: [{ display_id: 'one', name: 'One' }],
        },
      ],
    }),
  );
});
afterAll(() => service?.dispose());

const visit = (more: Json) => ({
  event_id: own('visit'),
  type: 'page_view',
  time: new Date().toISOString(),
  session_id: 'session',
  url: 'https://acme.example/',
  ...more,
});
const send = async (type: string, install_id: string, headers: Record<string, string>, more: Json = {}) => {
  const event = appEvent(type, { app_id: 'com.kills', install_id: own(install_id), ...more });
  expect(await collectApp(service, [event], headers)).toMatchObject({ status: 202, accepted: 1 });
  return event.event_id as string;
};
const readEvents = async (install_id: string) =>
  (
    await service.rows<{ event_id: string }>(
      `SELECT event_id FROM analytics.app_events WHERE install_id = '${own(install_id)}'`,
    )
  ).map(({ event_id }) => event_id);
const spend = async (rows: Json[]) => {
  const response = await service.request('/collect/v1/spend', {
    method: 'PUT',
    headers: SERVER,
    body: JSON.stringify({
      rows: rows.map((row) => ({ date: '2026-01-01', campaign_id: 'one', currency: 'USD', ...row })),
    }),
  });
  expect(await response.json()).toEqual({ accepted: rows.length, rejected: [] });
};

/** As another process stores what stands on the install `first` already, and does not know of it. */
async function storeRepeat(first: string, second: string): Promise<void> {
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.app_events
      SELECT * REPLACE ('${own(second)}' AS install_id, version - 1 AS version, now64(3) AS stored_at)
      FROM adtrail.app_events AS event
      WHERE event.install_id = '${own(first)}'`,
  });
  const hidden = `SELECT 1 FROM adtrail.app_events WHERE install_id = '${own(second)}' AND is_deleted = 1`;
  await eventually('the repeat is hidden', async () => ((await service.rows(hidden)).length > 0 ? true : undefined));
}

test('events and spend stay after SIGKILL, and a repeat after it is known', async () => {
  const event_id = await send('open', 'before', SERVER);
  expect((await collect(service, WEB, [visit({ visitor_id: 'before' })])).body).toMatchObject({ accepted: 1 });
  await spend(Array.from({ length: 1_000 }, (_, i) => ({ ad_set_id: 's', ad_id: `a${i}`, spend: '0.01' })));
  // The install event of an app, and that of a server, which another process has stored on a second install.
  for (const [of, headers] of Object.entries({ app: APP, server: SERVER })) {
    await send('install', `${of}-first`, headers);
    await storeRepeat(`${of}-first`, `${of}-second`);
  }

  await service.kill();
  await service.restart();

  await send('open', 'after', SERVER, { event_id });
  expect([await readEvents('before'), await readEvents('after')]).toEqual([[event_id], []]);
  await answered(() =>
    post(service, JSON.stringify({ events: [visit({ visitor_id: 'after' })] }), WEB, '/collect/v1/web'),
  );
  expect(await service.rows(`SELECT visitor_id FROM analytics.web_events WHERE event_id = '${own('visit')}'`)).toEqual([
    { visitor_id: 'before' },
  ]);
  await spend([{ ad_set_id: 's', ad_id: 'a0', spend: '5.01' }]);
  expect(
    await service.rows(
      `SELECT toString(sum(spend)) AS spend FROM analytics.ad_spend AS spent
       WHERE project_id = (SELECT any(project_id) FROM analytics.web_events WHERE event_id = '${own('visit')}')`,
    ),
  ).toEqual([{ spend: '15' }]);
  // The genuine install event that comes after the one that is hidden is stored once, and decided.
  for (const [of, headers] of Object.entries({ app: APP, server: SERVER })) {
    const genuine = await send('install', `${of}-second`, headers);
    await send('install', `${of}-second`, headers);
    expect(await readEvents(`${of}-second`)).toEqual([genuine]);
    expect(await readEvents(`${of}-first`)).toHaveLength(1);
    const decided = `SELECT 1 FROM analytics.installs WHERE install_id = '${own(`${of}-second`)}'`;
    await eventually('it is decided', async () => ((await service.rows(decided)).length === 1 ? true : undefined));
  }
});
