/** The country of an install in analytics.installs is that of the query endpoint, whatever becomes of the install. */
import { decided, postEvents } from '../../support/reports/app-report';
import { caughtUp } from '../../support/caught-up';
import { post, type Json } from '../../support/collect/collect-client';
import { ask, readReader } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('install-countries');
const KEY = own('server');
const APP_ID = 'com.countries.app';
const [AMERICAN, GERMAN] = ['8.8.8.8', '217.80.10.1'];
/** One project with a campaign of this name. */
const workspace = (campaignName: string) =>
  own.document({
    accounts: [{ name: 'Acme' }],
    projects: [
      {
        name: 'Countries',
        account: 'Acme',
        timezone: 'Asia/Kolkata',
        server_keys: ['server'],
        app_keys: ['app'],
        apps: [{ platform: 'ANDROID', app_id: APP_ID }],
        campaigns: [{ display_id: 'countries', name: campaignName }],
      },
    ],
  });

let project: number;
let reader: Record<string, string>;

beforeAll(async () => {
  await service.apply(workspace('Before'));
  project = await idByName(service, 'projects', own('Countries'));
  reader = await readReader(service, project);
});

const install = (id: string, more: Json = {}): Json => ({
  event_id: own(id),
  type: 'install',
  install_id: own(id),
  app_id: APP_ID,
  time: '2026-03-01T10:00:00Z',
  ...more,
});
const credited = { attribution: { campaign_display_id: 'countries', touch_type: 'click' } };

/** Installs by country, as the query endpoint counts them and as the view shows them to a reader of the project. */
async function countBoth() {
  await caughtUp(service);
  const { results } = await ask(service, KEY, {
    source: 'app',
    from: '2026-02-28',
    to: '2100-01-01',
    metrics: ['installs'],
    dimensions: ['country'],
    order_by: [['country', 'asc']],
  });
  const response = await fetch(`${service.clickhouseUrl}/?default_format=JSONCompactEachRow`, {
    method: 'POST',
    headers: reader,
    body: `SELECT country, toUInt32(count()) FROM analytics.installs WHERE NOT reinstall GROUP BY country
      ORDER BY country`,
  });
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  return {
    figures: results.map(({ dimensions, metrics }) => [...dimensions, ...metrics]),
    view: text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown[]),
  };
}

/** Both agree on these. */
async function expectCounts(expected: readonly (readonly [string, number])[]): Promise<void> {
  const { figures, view } = await countBoth();
  expect(figures).toEqual(expected);
  expect(view).toEqual(expected);
}

test('credited or organic, known or not known, and reinstalls apart', async () => {
  const device = { gaid: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' };
  await postEvents(service, KEY, [
    install('us1', { ip: AMERICAN, ...credited }),
    install('us2', { ip: AMERICAN }),
    install('de', { ip: GERMAN, ...device, user: { id: own('person') } }),
    install('private', { ip: '10.0.0.1' }),
    install('none', credited),
  ]);
  await decided(service, project, 5);
  await postEvents(service, KEY, [install('again', { ...device, ip: AMERICAN, time: '2026-03-02T10:00:00Z' })]);
  await decided(service, project, 6);
  await expectCounts([
    ['', 2],
    ['DE', 1],
    ['US', 2],
  ]);
  const rows = await service.rows(
    `SELECT install_id, country, network, reinstall FROM analytics.installs WHERE install_id = '${own('again')}'`,
  );
  expect(rows).toEqual([{ install_id: own('again'), country: 'US', network: '', reinstall: 1 }]);
});

test('an install that an app and a server report has the country of what was received first', async () => {
  const now = { time: new Date().toISOString() };
  const fromApp = async (id: string) => {
    const body = JSON.stringify({ events: [install(id, now)] });
    expect(await post(service, body, { 'app-key': own('app') }, '/collect/v1/app')).toMatchObject({ accepted: 1 });
  };
  // The server's event decides; that of the app came first, from an address of no country.
  await fromApp('app-first');
  await postEvents(service, KEY, [install('app-first', { ...now, ip: GERMAN, ...credited })]);
  await postEvents(service, KEY, [install('server-first', { ...now, ip: GERMAN })]);
  await fromApp('server-first');
  await decided(service, project, 8);
  await expectCounts([
    ['', 3],
    ['DE', 2],
    ['US', 2],
  ]);
});

test('a repeat from elsewhere and a campaign that is renamed change nothing', async () => {
  await postEvents(service, KEY, [install('us1', { ip: GERMAN, event_id: own('us1-repeat') })]);
  const before = await countBoth();
  await service.apply(workspace('After'));
  await eventually('the new name is shown', async () => {
    const rows = await service.rows(
      `SELECT 1 FROM analytics.installs
        WHERE project_id = ${project} AND campaign_name LIKE '%After' AND country = 'US'`,
    );
    return rows.length === 1 ? true : undefined;
  });
  expect(await countBoth()).toEqual(before);
});

test('a person who is erased still counts for their country', async () => {
  const before = await countBoth();
  const { body } = await service.admin(
    'DELETE',
    `/projects/${project}/devices/user/${encodeURIComponent(own('person'))}`,
  );
  await eventually(
    'the person is erased',
    async () => {
      const receipt = await service.admin('GET', `/projects/${project}/forgotten/${String(body.id)}`);
      return receipt.body.removed_at ? true : undefined;
    },
    110_000,
  );
  expect(await service.rows(`SELECT 1 FROM analytics.installs WHERE install_id = '${own('de')}'`)).toEqual([]);
  expect(await countBoth()).toEqual(before);
}, 150_000);
