/** Rows of web reports: shares, rounding, and what is null. */
import type { ReportInput } from '../../../src/web-report/input';
import { presentMetrics, NOTHING, presentRow, presentWebPagination } from '../../../src/web-report/presenter';
import type { SummedRow } from '../../../src/web-report/queries';

const input = { groupBy: 'campaign', network: null, events: [] as string[] } as unknown as ReportInput;
const summed: SummedRow = {
  ...NOTHING,
  id: 'spring',
  is_total: 0,
  campaign_id: 1,
  name: 'Spring',
  main_source: 'news',
  merged: 0,
  total: 1,
  truncated: 0,
};

describe('revenue is rounded half up to two decimals', () => {
  test.each([
    [0.005, 0.01],
    [1.005, 1.01],
    [2.675, 2.68],
    [0.0049, 0],
    [10, 10],
    // What sums of binary fractions are off by is not seen.
    [0.1 + 0.2, 0.3],
    [1.1 * 3, 3.3],
    [123456789.125, 123456789.13],
  ])('%d', (revenue, expected) =>
    expect(presentMetrics({ ...NOTHING, revenue }, null, [])).toMatchObject({ revenue: expected }),
  );

  test('ratios to four', () =>
    expect(presentMetrics({ ...NOTHING, revenue: 1.23455 }, 1, [])).toMatchObject({ roas: 1.2346 }));
});

describe('metrics', () => {
  test('of nothing are 0, and null where they are a share of spend', () =>
    expect(presentMetrics(NOTHING, null, ['signup'])).toEqual({
      visitors: 0,
      sessions: 0,
      page_views: 0,
      signups: 0,
      unique_signup_users: 0,
      conversion: 0,
      purchases: 0,
      revenue: 0,
      spend: null,
      roas: null,
      cost_per_visitor: null,
      custom_events: { signup: { count: 0 } },
    }));

  test('are shares of visitors and of spend', () =>
    expect(
      presentMetrics({ ...NOTHING, visitors: 3, signup_visitors: 2, signups: 9, revenue: 10.005 }, 4, []),
    ).toMatchObject({ conversion: 66.67, revenue: 10.01, spend: 4, roas: 2.5013, cost_per_visitor: 1.3333 }));

  test('without visitors there is no cost of one, with spend of 0 no return on it', () => {
    expect(presentMetrics({ ...NOTHING, revenue: 5 }, 2, [])).toMatchObject({ roas: 2.5, cost_per_visitor: null });
    expect(presentMetrics({ ...NOTHING, visitors: 5, revenue: 5 }, 0, [])).toMatchObject({
      spend: 0,
      roas: null,
      cost_per_visitor: 0,
    });
  });

  test('events are those that were asked for, in that order', () => {
    const { custom_events } = presentMetrics(
      {
        ...NOTHING,
        event_names: ['b', 'a'],
        event_times: [2, 1],
      },
      null,
      ['a', 'c', 'b'],
    );
    expect(Object.entries(custom_events)).toEqual([
      ['a', { count: 1 }],
      ['c', { count: 0 }],
      ['b', { count: 2 }],
    ]);
  });
});

describe('rows', () => {
  test('of campaigns name source, link, pause and merger', () => {
    expect(
      presentRow({ ...summed, merged: 1 }, input, { link: 'https://x.example/?c=spring', paused: true }, null),
    ).toMatchObject({
      id: 'spring',
      name: 'Spring',
      channel: null,
      source: 'news',
      tracking_link: 'https://x.example/?c=spring',
      paused: true,
      merged: true,
    });
    expect(presentRow({ ...summed, id: '', main_source: '' }, input, undefined, null)).toMatchObject({
      id: null,
      source: null,
      tracking_link: null,
      paused: false,
      merged: false,
    });
  });

  test.each([
    ['channel', null, { id: 'email', channel: 'email' }],
    ['source', null, { id: 'email', channel: null }],
    ['ad_set', 'meta', { id: 'email', channel: 'meta' }],
    ['network_campaign', 'google', { id: 'email', channel: 'google' }],
  ])('of each %s have none of it', (groupBy, network, expected) =>
    expect(
      presentRow({ ...summed, id: 'email' }, { ...input, groupBy, network } as ReportInput, undefined, 1),
    ).toMatchObject({
      ...expected,
      source: null,
      paused: null,
      merged: null,
      spend: 1,
    }),
  );
});

test('pages say whether rows were left out', () =>
  expect(presentWebPagination(1_000, { page: 2, limit: 100, offset: 100 }, true)).toEqual({
    total: 1_000,
    pages: 10,
    page: 2,
    limit: 100,
    truncated: true,
  }));
