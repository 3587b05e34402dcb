/** Funnels (docs/contract/queries.md): random histories against the reference model, and hostile questions. */
import fc from 'fast-check';
import { eventually } from '../../support/service';
import { caughtUp } from '../../support/caught-up';
import type { Json } from '../../support/collect/collect-client';
import { decided, postEvents } from '../../support/reports/app-report';
import { modelFunnel, type ModelEvent, type ModelFunnel } from '../../support/reports/funnel-model';
import { idByName } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { rounds, seeded } from '../../support/soak';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('funnels');
const KEY = own('key');
const APP = 'com.funnels.shop';
const ZONE = 'Asia/Kathmandu';
const INSTALLS = 40;
const DAY = 86_400_000;
const START = Date.UTC(2025, 5, 2, 18, 15);
const DAYS = ['2025-06-02', '2025-06-03', '2025-06-04', '2025-06-05', '2025-06-06'];
const STEPS = ['install', 'open', 'signup', 'payment', 'event:level', "event:a 'b' {c}"];

const toDay = (time: number) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(time);
const readCampaign = (i: number) => ['spring', 'autumn', 'organic'][i % 3] as string;

/** Few times, so that many events happen at once. */
const step = fc.record({
  quarter: fc.nat({ max: 5 * 24 * 4 }),
  step: fc.constantFrom(...STEPS.slice(1), 'uninstall'),
});
const history = fc.record({
  offset: fc.nat({ max: 3 * 24 * 4 }),
  events: fc.array(step, { maxLength: 14 }),
});

let histories: ModelEvent[][] = [];

const toWire = (event: ModelEvent, i: number, at: number): Json => ({
  event_id: `e-${i}-${at}`,
  type: event.type,
  install_id: event.install,
  app_id: APP,
  time: new Date(event.time).toISOString(),
  ...(event.type === 'event' && { name: event.name }),
  ...(event.type === 'payment' && { amount: 1, currency: 'EUR' }),
  ...(event.type === 'install' &&
    readCampaign(i) !== 'organic' && { attribution: { campaign_display_id: readCampaign(i), touch_type: 'click' } }),
});

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'A' }],
      projects: [
        {
          name: 'P',
          account: 'A',
          timezone: ZONE,
          currency: 'EUR',
          server_keys: ['key'],
          apps: [{ platform: 'ANDROID', app_id: APP }],
          campaigns: ['spring', 'autumn'].map((id) => ({ display_id: id, name: `The ${id}` })),
        },
      ],
    }),
  );
  const random = seeded();
  const drawn = fc.sample(history, { numRuns: INSTALLS, seed: Math.floor(random() * 2 ** 31) });
  histories = drawn.map(({ offset, events }, i) =>
    [{ quarter: offset, step: 'install' }, ...events].map(({ quarter, step }) => {
      const time = START + quarter * 900_000;
      const [, name] = /^event:(.*)$/s.exec(step) ?? [];
      return { install: `i-${i}`, time, day: toDay(time), type: name === undefined ? step : 'event', name: name ?? '' };
    }),
  );
  await postEvents(
    service,
    KEY,
    histories.flatMap((events, i) => events.map((event, at) => toWire(event, i, at))),
  );
  const projectId = await idByName(service, 'projects', own('P'));
  await decided(service, projectId, INSTALLS);
  await caughtUp(service);
}, 180_000);

async function askFunnel(body: unknown, key = KEY) {
  return eventually('an answer about a funnel', async () => {
    const response = await service.request('/api/v1/reporting/funnel', {
      method: 'POST',
      headers: { 'service-key': key, 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    if (response.status === 503 || response.status === 429) return undefined;
    return { status: response.status, body: (await response.json()) as Json };
  });
}

const WHOLE = { from: DAYS[0] as string, to: DAYS[4] as string };

test('agrees with the reference model, in both orders, by campaign, with any window', async () => {
  const random = seeded();
  const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let round = 0; round < rounds(25, 200); round++) {
    const [from = '', to = ''] = [draw(DAYS), draw(DAYS)].sort();
    const funnel: ModelFunnel = {
      steps: Array.from({ length: 2 + Math.floor(random() * 4) }, () => draw(STEPS)),
      from,
      to,
      order: draw(['open', 'strict']),
      window_seconds: draw([1, 900, 3_600, DAY / 1000, 90 * 86_400]),
    };
    const { status, body } = await askFunnel({ ...funnel, dimensions: ['campaign'] });
    expect({ status, body }).toMatchObject({ status: 200 });
    expect({ funnel, totals: body.totals }).toEqual({ funnel, totals: modelFunnel(histories, funnel) });
    for (const { dimensions, labels, steps } of body.results as {
      dimensions: string[];
      labels: string[];
      steps: Json[];
    }[]) {
      const [campaign = ''] = dimensions;
      expect(labels).toEqual([campaign === 'organic' ? 'Organic' : `The ${campaign}`]);
      const own = histories.filter((_, i) => readCampaign(i) === campaign);
      expect({ funnel, campaign, steps }).toEqual({ funnel, campaign, steps: modelFunnel(own, funnel) });
    }
  }
}, 120_000);

test('is filtered in any case, cut at its limit, and says what it understood', async () => {
  const asked = { ...WHOLE, steps: ['install', 'open'], dimensions: ['campaign', 'platform'], limit: 1 };
  const { body } = await askFunnel({ ...asked, filters: [['is', 'campaign', ['SPRING', 'Autumn']]] });
  expect((body.results as { labels: string[] }[])[0]?.labels).toEqual(['The spring', 'ANDROID']);
  expect(body.meta).toMatchObject({ rows: 2, timezone: ZONE, windows_ended_until: expect.any(String) as string });
  expect(body.query).toEqual({
    ...asked,
    order: 'open',
    window_seconds: 604_800,
    filters: [['is', 'campaign', ['SPRING', 'Autumn']]],
  });
  const without = await askFunnel({
    ...asked,
    filters: [
      ['contains_not', 'channel', ['x']],
      ['is_not', 'country', ['DE']],
    ],
  });
  expect((without.body.totals as Json[])[0]).toMatchObject({ installs: INSTALLS, conversion: 100 });
  const nothing = await askFunnel({ ...asked, from: '2020-01-01', to: '2020-01-02' });
  expect(nothing.body).toMatchObject({ results: [], totals: [{ installs: 0, conversion: null }, { installs: 0 }] });
});

test.each([
  [{ steps: ['install'] }, /steps/],
  [{ steps: Array.from({ length: 9 }, () => 'open') }, /steps/],
  [{ steps: ['install', 'login'] }, /Unknown step in steps\[1\]: "login"\. Legal: install, /],
  [{ steps: ['install', 'event:'] }, /steps\[1\]/],
  [{ steps: ['install', `event:${'x'.repeat(600)}`] }, /steps/],
  [{ from: '2025-06-04', to: '2025-06-03' }, /from must not be after to/],
  [{ from: '2025-02-30' }, /from/],
  [{ window_seconds: 0 }, /window_seconds/],
  [{ window_seconds: 7_776_001 }, /window_seconds/],
  [{ order: 'any' }, /order/],
  [{ dimensions: ['ad'] }, /Unknown dimension: "ad"\. Legal: campaign, /],
  [{ dimensions: ['campaign', 'campaign'] }, /twice/],
  [{ dimensions: ['campaign', 'country', 'platform'] }, /dimensions/],
  [{ filters: [['is', 'rule', ['x']]] }, /filters\[0\]/],
  [{ filters: [['like', 'campaign', ['x']]] }, /filters\[0\]/],
  [{ filters: [['is', 'campaign', []]] }, /filters\[0\]/],
  [{ limit: 201 }, /limit/],
  [{ more: 1 }, /more/],
])('%j is refused by name', async (wrong, message) => {
  const { status, body } = await askFunnel({ ...WHOLE, steps: ['install', 'open'], ...wrong });
  expect({ status, msg: body.msg }).toEqual({ status: 400, msg: expect.stringMatching(message) as string });
});

test('names of events are names, whatever they hold; nobody asks without a key', async () => {
  const hostile = ["event:'; DROP TABLE adtrail.app_events; --", 'event:{types:Array(String)}', 'event:\\\n\t'];
  const { status, body } = await askFunnel({ ...WHOLE, steps: ['install', ...hostile] });
  expect({ status, last: (body.totals as Json[])[3] }).toMatchObject({ status: 200, last: { installs: 0 } });
  expect((await askFunnel('[]')).status).toBe(400);
  expect((await askFunnel('{')).body).toEqual({ msg: 'Invalid JSON body.', status: 400 });
  expect((await askFunnel({ ...WHOLE, steps: ['install', 'open'] }, 'nobody')).status).toBe(401);
});
