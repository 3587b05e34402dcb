/** What a public key may send in a day: the excess is refused visibly (docs/contract.md, Collectors). */
import { collectApp, appEvent } from '../support/collect-client';
import { ADMIN_TOKEN, startService, type RunningService } from '../support/service';
import { collect } from '../support/web';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ QUOTA_COLLECT: '30,10,5' });
  const project = (name: string) => ({
    name,
    account: 'Acme',
    timezone: 'UTC',
    server_keys: [`server-key-of-${name}`],
    app_keys: [`app-key-of-${name}`],
    web_keys: [`web-key-of-${name}`],
    apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
  });
  await service.apply({ accounts: [{ name: 'Acme' }], projects: ['One', 'Two', 'Three'].map(project) });
});
afterAll(() => service.dispose());

let number = 0;
const visit = (visitor_id: string) => ({
  event_id: `visit-${(number += 1)}`,
  type: 'page_view',
  time: new Date().toISOString(),
  visitor_id,
  session_id: 's',
  url: 'https://shop.example/',
});
const visits = (visitor: string, count: number) => Array.from({ length: count }, () => visit(visitor));
const key = (name: string) => ({ 'web-key': `web-key-of-${name}` });
const overQuota = (index: number, field: string) => ({ index, reason: 'over_quota', field });

test('events of one visitor, with the good ones beside them stored', async () => {
  const { status, body } = await collect(service, key('One'), [...visits('busy', 6), visit('calm')]);
  expect([status, body]).toEqual([202, { accepted: 6, rejected: [overQuota(5, 'visitor_id')] }]);
  expect((await collect(service, key('One'), [visit('busy')])).body).toEqual({
    accepted: 0,
    rejected: [overQuota(0, 'visitor_id')],
  });
  expect(
    await service.rows('SELECT visitor_id, count() AS n FROM analytics.web_events GROUP BY visitor_id ORDER BY n'),
  ).toEqual([
    { visitor_id: 'calm', n: 1 },
    { visitor_id: 'busy', n: 5 },
  ]);
});

test('an event that is refused for another reason counts for nothing', async () => {
  const bad = Array.from({ length: 10 }, () => ({ ...visit('careful'), url: 'nowhere' }));
  expect(await collect(service, key('One'), [...bad, ...visits('careful', 5)])).toMatchObject({
    body: { accepted: 5 },
  });
});

test('different installs, and all events of a project; servers and other projects are not concerned', async () => {
  const open = (install_id: string) => appEvent('open', { install_id });
  const app = { 'app-key': 'app-key-of-Two' };
  const first = await collectApp(
    service,
    Array.from({ length: 11 }, (_, i) => open(`install-${i}`)),
    app,
  );
  expect(first).toMatchObject({ accepted: 10, rejected: [overQuota(10, 'install_id')] });
  const rest = await collectApp(
    service,
    Array.from({ length: 21 }, (_, i) => open(`install-${i % 10}`)),
    app,
  );
  expect(rest.accepted).toBe(19);
  expect(rest.rejected).toEqual([overQuota(19, ''), overQuota(20, '')]);
  const byServer = await collectApp(
    service,
    Array.from({ length: 50 }, (_, i) => open(`install-${i}`)),
    { 'service-key': 'server-key-of-Two' },
  );
  expect(byServer.accepted).toBe(50);
  expect((await collect(service, key('Three'), [visit('busy')])).body).toEqual({ accepted: 1, rejected: [] });
});

test('the excess shows in the log, once, and in the metrics', async () => {
  const told = service.output().match(/Project \d+ has sent more by a public key than QUOTA_COLLECT allows: \w+/g);
  expect(told?.map((line) => line.split(': ')[1])).toEqual(['eventsOfOne', 'entities', 'events']);
  const response = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  const metrics = await response.text();
  expect(metrics).toMatch(/^adtrail_events_over_quota_total\{quota="eventsOfOne"\} 2$/m);
  expect(metrics).toMatch(/^adtrail_events_over_quota_total\{quota="events"\} 2$/m);
});
