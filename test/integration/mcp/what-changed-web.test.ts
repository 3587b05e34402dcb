/** What changed, of web visits: parts that add up to the difference, exactly (docs/contract/mcp.md). */
import { BOT, BROWSER, collect, webWorkspace, type Json } from '../../support/collect/web';
import { connectOverHttp, readData, sum, type Connected } from '../../support/mcp/mcp-client';
import { putSpend } from '../../support/reports/app-report';
import { ask } from '../../support/reports/query';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const NAME = 'what-changed-web';
const KEY = `server-key-of-${NAME}`;
const TOTALS_KEY = `${KEY}-totals`;
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 ' +
  'Mobile/15E148 Safari/604.1';
const BEFORE = { from: '2026-03-01', to: '2026-03-03' };
const AFTER = { source: 'web', from: '2026-03-04', to: '2026-03-06' };
/** All of it has arrived: what it counts is by the events below. */
const PAGE_VIEWS = 9;

let http: Connected;
beforeAll(async () => {
  await service.apply(
    webWorkspace(NAME, {
      timezone: 'UTC',
      currency: 'EUR',
      // Each key has its own limit of questions.
      server_keys: [KEY, TOTALS_KEY],
      network_accounts: [{ network: 'META', external_customer_id: 'act' }],
      campaigns: [
        { display_id: 'wc-a', name: 'A', network: 'META', network_campaign_id: '770' },
        { display_id: 'wc-b', name: 'B', network: 'META', network_campaign_id: '771' },
      ],
    }),
  );
  let count = 0;
  const event = (visitor: string, time: string, campaign: string, more: Json = {}) => ({
    event_id: `${NAME}-${(count += 1)}`,
    type: 'page_view',
    time: `2026-03-0${time}:00Z`,
    visitor_id: visitor,
    session_id: `${visitor}-${time.slice(0, 1)}`,
    url: `https://acme.example/${campaign && `?utm_id=${campaign}`}`,
    ip: '8.8.8.8',
    ua: BROWSER,
    ...more,
  });
  const bought = (revenue: number) => ({ type: 'event', name: 'purchase', revenue });
  const answer = await collect(service, { 'service-key': KEY }, [
    event('a', '1T10:00', 'wc-a'),
    event('a', '1T10:03', 'wc-a', bought(10.05)),
    event('b', '2T11:00', 'wc-b', { ua: IPHONE }),
    event('b', '2T11:01', 'wc-b', { ua: IPHONE, type: 'event', name: 'sign_up' }),
    event('c', '3T12:00', ''),
    // The same visitors again, by other campaigns and devices, and others.
    event('a', '4T10:00', 'wc-b'),
    event('a', '4T10:01', 'wc-b', bought(20.1)),
    event('a', '5T10:00', 'wc-a', { ua: IPHONE }),
    event('d', '4T11:00', 'wc-a', { ua: IPHONE }),
    event('d', '4T11:07', 'wc-a', { ua: IPHONE, ...bought(0.07) }),
    event('d', '4T11:08', 'wc-a', { ua: IPHONE, type: 'event', name: 'sign_up' }),
    event('e', '5T12:00', ''),
    event('e', '5T12:01', ''),
    event('f', '6T13:00', 'wc-b', { type: 'event', name: 'sign_up' }),
    event('g', '6T14:00', 'wc-b'),
    event('bot', '6T14:00', 'wc-b', { ua: BOT }),
  ]);
  expect(answer.status).toBe(202);
  const spent = (campaign_id: string, day: number, spend: string) => ({
    ...{ network: 'META', account: 'act', campaign_id, spend, currency: 'EUR' },
    date: `2026-03-0${day}`,
  });
  const rows = [spent('770', 1, '7.53'), spent('771', 2, '1.01'), spent('770', 4, '2.99'), spent('771', 5, '4.41')];
  expect(await putSpend(service, KEY, rows)).toMatchObject({ accepted: 4 });
  const all = { ...AFTER, from: BEFORE.from, metrics: ['page_views'] };
  await eventually('all visits are in the figures', async () =>
    (await ask(service, KEY, all)).results[0]?.metrics[0] === PAGE_VIEWS ? true : undefined,
  );
  http = await connectOverHttp(service, KEY);
}, 180_000);
afterAll(() => http?.client.close());

interface Changed {
  readonly before: string;
  readonly after: string;
  readonly difference: string;
  readonly remainder: string;
  readonly parts: readonly {
    readonly value: string;
    readonly difference: string;
    readonly effects?: Readonly<Record<'rate' | 'mix' | 'unmatched', string>>;
  }[];
  readonly others?: { readonly values: number; readonly difference: string };
}
const explain = async (metric: string, dimension: string, limit = 20) =>
  readData(
    await http.call('what_changed', { ...AFTER, metric, dimension, compare: BEFORE, limit }),
  ) as unknown as Changed;

const COUNTS = ['visitors', 'sessions', 'page_views', 'signups', 'purchases', 'revenue', 'event:purchase'];
const QUOTIENTS = ['bounce_rate', 'session_seconds', 'conversion'];
const BY_SPEND = ['spend', 'cpa', 'roas'];
const CASES = [
  ...[...COUNTS, ...QUOTIENTS].flatMap((metric) =>
    ['device', 'country', 'campaign'].map((by) => [metric, by] as const),
  ),
  ...BY_SPEND.map((metric) => [metric, 'campaign'] as const),
];

test.each(CASES)('the parts of a change of %s by %s add up to it, digit by digit', async (metric, dimension) => {
  const totals = async (days: object) => {
    const question = { ...AFTER, metrics: [metric], include: ['organic', 'totals'], ...days };
    return (await ask(service, TOTALS_KEY, question)).totals?.[0];
  };
  const [after, before] = [await totals({}), await totals(BEFORE)];
  for (const limit of [1, 20]) {
    const changed = await explain(metric, dimension, limit);
    const all = [...changed.parts, ...(changed.others ? [changed.others] : [])].map((one) => one.difference);
    expect(sum([...all, changed.remainder])).toBe(sum([changed.difference]));
    expect(sum([changed.after])).toBe(sum([changed.before, changed.difference]));
    expect(Number(changed.after)).toBeCloseTo(Number(after), 2);
    expect(Number(changed.before)).toBeCloseTo(Number(before), 2);
    for (const { effects, difference } of changed.parts)
      if (effects) expect(sum(Object.values(effects))).toBe(sum([difference]));
    expect(changed.parts.some(({ effects }) => effects !== undefined)).toBe(
      [...QUOTIENTS, 'cpa', 'roas'].includes(metric),
    );
  }
});

test('revenue is taken apart by the device on which it was made', async () => {
  expect(await explain('revenue', 'device')).toMatchObject({
    before: '10.05',
    after: '20.17',
    difference: '10.12',
    remainder: '0',
    parts: [
      { value: 'desktop', difference: '10.05' },
      { value: 'mobile', difference: '0.07' },
    ],
  });
});

test('who counts in several values, or in none, is the remainder', async () => {
  const { parts, difference, remainder } = await explain('visitors', 'device');
  // Now there are five: a on both devices, d, e, f and g; before there were a, b and c.
  expect(difference).toBe('2');
  expect(parts.map(({ value, difference: of }) => [value, of]).sort()).toEqual([
    ['desktop', '2'],
    ['mobile', '1'],
  ]);
  expect(remainder).toBe('-1');
});
