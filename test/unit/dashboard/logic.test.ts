/** What the dashboard reckons by itself: periods, cohorts, rows of campaigns, what is pasted, and formats. */
import type { Report } from '../../../dashboard/src/api/queries';
import { buildRequest, headersProblem, toFormValues } from '../../../dashboard/src/components/postbacks/request';
import type { Period } from '../../../dashboard/src/period';
import {
  campaignRows,
  narrowed,
  organicRow,
  partRows,
  sorted,
  type Row,
} from '../../../dashboard/src/pages/campaigns/rows';
import { checks } from '../../../dashboard/src/pages/links/form';
import { buildCohorts } from '../../../dashboard/src/pages/retention/cohorts';
import { buildQuery, readRequest } from '../../../dashboard/src/pages/test-bench/requests';
import { choice, flag, optionalText, readSearch, Type, withDefaults } from '../../../dashboard/src/search';
import { toPage } from '../../../dashboard/src/addresses';

const period = (from: string, to: string, days = 0): Period => ({
  ...{ from, to, days, preset: undefined, compare: 'none', comparison: {}, earlier: undefined },
  ...{ granularity: 'day', isOpen: false, lacksEarlier: false, firstDay: undefined },
});
/** As much of an answer as is read. */
const report = (metrics: string[], results: object[], more: object = {}) =>
  ({ query: { metrics }, results, ...more }) as unknown as Report;

describe('cohorts', () => {
  const asked = (unit: 'day' | 'week' | 'month', days: number[], of: Period) =>
    ({ unit, definition: 'retention', days, period: of, filters: undefined }) as const;
  const row = (id: string, ...metrics: (number | null)[]) => ({ dimensions: [id], labels: [id], metrics });
  const meta = { cohorts_mature_until: '2024-03-03' };

  test.each([
    ['day', '2024-03-04', '2024-03-04', '2024-03-04'],
    ['week', '2024-02-26', '2024-03-01', '2024-03-03'],
    ['week', '2024-03-25', '2024-03-25', '2024-03-28'],
    ['month', '2024-03', '2024-03-01', '2024-03-28'],
  ] as const)('of a %s, %s, as far as it is in the period', (unit, id, from, to) => {
    const question = asked(unit, [1], period('2024-03-01', '2024-03-28'));
    expect(buildCohorts(report([], [row(id, 5, 20)], { meta }), undefined, question)[0]).toMatchObject({
      from,
      to,
      size: 5,
    });
  });

  test('a day of a cohort has ended for all of its installs, for some or for none', () => {
    const question = asked('week', [1, 3, 7], period('2024-03-04', '2024-03-10'));
    const sizes = report([], [row('2024-03-04', 10), row('2024-03-06', 4), row('2024-03-10', 1)]);
    const [cohort] = buildCohorts(report([], [row('2024-03-04', 15, 50, 25, null)], { meta }), sizes, question);
    expect(cohort?.cells).toEqual([
      { day: 1, value: 50, state: 'partial', until: '2024-03-09', counted: 14 },
      { day: 3, value: 25, state: 'partial', until: '2024-03-07', counted: 14 },
      { day: 7, value: null, state: 'open', until: '2024-03-03', counted: 0 },
    ]);
    const early = buildCohorts(
      report([], [row('2024-03-02', 3, 9)], { meta }),
      undefined,
      asked('day', [1], period('2024-03-01', '2024-03-03')),
    );
    expect(early[0]?.cells).toEqual([{ day: 1, value: 9, state: 'full', until: '2024-03-03', counted: undefined }]);
  });
});

describe('rows of campaigns', () => {
  const campaign = (id: string, more: object = {}) =>
    ({
      display_id: id,
      name: `Name of ${id}`,
      active: true,
      default_link: false,
      custom_channels: [],
      ...more,
    }) as never;
  const result = (dimensions: string[], label: string, ...metrics: (number | null)[]) => ({
    dimensions,
    labels: [label],
    metrics,
  });
  const answer = report(
    ['installs', 'profit', 'spend'],
    [result(['a', 'meta', 'Ann', ''], 'Alpha', 5, -1, 10), result(['gone', '', '', ''], '', 2, 3, 0)],
    { totals: [7, 2, 10] },
  );
  const later = report(
    ['roas_d7', 'ltv_d7', 'mature_d7'],
    [result(['a'], 'Alpha', 0.83, 2, 60), result(['gone'], '', null, 1, 0)],
  );
  const known = [
    campaign('a'),
    campaign('quiet', { active: false, google: {} }),
    campaign('own', { default_link: true }),
  ];
  const judging = { horizon: 7, target: 1 };
  const rows = campaignRows(answer, known, true, [later], judging);
  const names = (list: readonly Row[]) => list.map(({ name }) => name);

  test('those with figures, then those without, the own one of the system only with figures', () => {
    expect(rows.map(({ path: [id], kind, name, network }) => [id, kind, name, network])).toEqual([
      ['a', 'campaign', 'Alpha', 'Meta'],
      ['gone', 'campaign', 'gone', ''],
      ['quiet', 'campaign', 'Name of quiet', 'Google'],
    ]);
    expect(rows[0]?.figures).toMatchObject({ installs: 5, profit: -1, roas_d7: 0.83, mature_d7: 60 });
    expect(campaignRows(answer, known, false, [], judging)).toHaveLength(2);
  });

  test.each([
    [1, 'below'],
    [0.83, 'reached'],
    [0.5, 'reached'],
  ])('against a target of %s a campaign with spend is %s; one without is not judged', (target, verdict) => {
    const judged = campaignRows(answer, known, true, [later], { horizon: 7, target });
    expect(judged.map((row) => row.verdict)).toEqual([verdict, undefined, undefined]);
  });

  test('what no campaign is credited with is a row of its own', () => {
    const organic = report(['installs'], [result(['organic', '', '', ''], 'Organic', 9)]);
    const ltv = report(['ltv_d7'], [result(['organic'], 'Organic', 3)]);
    expect(organicRow([organic, ltv])).toMatchObject({
      kind: 'organic',
      name: 'Organic',
      figures: { installs: 9, ltv_d7: 3 },
    });
    expect(organicRow([report([], [])])).toBeUndefined();
  });

  test.each([
    ['-installs', ['Alpha', 'gone', 'Name of quiet']],
    ['installs', ['gone', 'Alpha', 'Name of quiet']],
    ['-roas_d7', ['Alpha', 'gone', 'Name of quiet']],
    ['profit', ['Alpha', 'gone', 'Name of quiet']],
    ['-name', ['Name of quiet', 'gone', 'Alpha']],
  ])('sorted by %s, what is missing last', (sort, expected) => {
    expect(names(sorted(rows, sort))).toEqual(expected);
  });

  test.each([
    ['all', undefined, 3],
    ['all', ' ALPH ', 1],
    ['all', 'quiet', 1],
    ['active', undefined, 1],
    ['paused', undefined, 1],
    ['paused', 'alpha', 0],
  ] as const)('narrowed to %s and %s there are %d', (state, search, count) => {
    expect(narrowed(rows, { state, search })).toHaveLength(count);
  });

  test('the parts of a campaign and of an ad set, or a note that there are none', () => {
    const parent = rows[0] as Row;
    const parts = partRows(parent, report(['installs'], [result(['s1'], 'Set', 3), result([''], '', 2)]));
    expect(parts.map(({ path, kind, name }) => [path, kind, name])).toEqual([
      [['a', 's1'], 'ad_set', 'Set'],
      [['a', ''], 'ad_set', 'Without an ad set'],
    ]);
    expect(partRows(parts[0] as Row, report([], [result(['x'], '', 1)]))[0]).toMatchObject({ kind: 'ad', name: 'x' });
    expect(partRows(parent, report([], [result([''], '', 5)]))).toMatchObject([{ kind: 'note', figures: {} }]);
  });
});

describe('requests of partners', () => {
  test.each([
    ['https://go.example.com/v1/click?c=a&tid=1', { kind: 'click', query: 'c=a&tid=1', token: '' }],
    ['/v1/ctv/impression?c=a&svc_token=s%2B1', { kind: 'ctv', query: 'c=a', token: 's+1' }],
    [
      "curl -H 'X-Service-Token: s2' 'https://x.example/v1/impression?c=a#top'",
      { kind: 'impression', query: 'c=a', token: 's2' },
    ],
    ['GET /v1/click/com.shop?c=a HTTP/1.1', { kind: 'click', query: 'c=a&app_id=com.shop', token: '' }],
    ['/v1/click/com.shop?app_id=other', { kind: 'click', query: 'app_id=other', token: '' }],
    ['/v1/validate/click', { kind: 'click', query: '', token: '' }],
    ['https://go.example.com/v1/clicks?c=a', undefined],
    ['', undefined],
  ])('%s', (text, expected) => expect(readRequest(text)).toEqual(expected));

  test('a form sends what is filled in, encoded', () => {
    expect(buildQuery('click', { app_id: 'com.shop', tid: 'a b&c', gaid: '', nothing: 'x' })).toBe(
      'app_id=com.shop&tid=a%20b%26c',
    );
  });
});

describe('requests of templates', () => {
  const stored = {
    method: 'POST' as const,
    url: 'https://x.example',
    headers: { A: '1' },
    body: [{ a: 1 }] as unknown[],
  };

  test.each([
    ['nobody changed anything', {}, { body: [{ a: 1 }] }],
    ['a body is changed', { body: '{}' }, { body: '{}' }],
    ['a body is blank', { body: ' ' }, { body: null }],
    ['a GET has no body', { method: 'GET' }, { method: 'GET', body: null }],
    [
      'blanks are around',
      {
        url: ' https://y.example ',
        headers: [
          { name: ' B ', value: '2' },
          { name: ' ', value: '3' },
        ],
      },
      { url: 'https://y.example', headers: { B: '2' } },
    ],
  ] as const)('%s', (_, changes, expected) => {
    expect(buildRequest({ ...toFormValues(stored), ...changes }, stored)).toEqual({ ...stored, ...expected });
  });

  test.each([
    [['A', ' a '], true],
    [['A', 'B', '', ''], false],
  ])('headers %j are twice: %s', (names, isTwice) => {
    const headers = names.map((name) => ({ name, value: '' }));
    expect(headersProblem({ ...toFormValues(undefined), headers }) !== undefined).toBe(isTwice);
  });
});

test.each([
  ['webUrl', 'https://example.com', true],
  ['webUrl', 'shop://sale', false],
  ['webUrl', '', true],
  ['deeplink', 'shop://sale', true],
  ['deeplink', 'sale', false],
  ['displayId', 'a-b_C9', true],
  ['displayId', 'a b', false],
  ['displayId', 'x'.repeat(65), false],
  ['channel', 'x'.repeat(79), true],
  ['channel', 'x'.repeat(80), false],
  ['name', ' ', false],
  ['name', 'MAIN_DOMAIN', false],
] as const)('a link takes as its %s "%s": %s', (field, value, isGood) => {
  expect(checks[field](value) === null).toBe(isGood);
});

describe('searches', () => {
  const schema = Type.Object({ tab: choice(['one', 'two']), text: optionalText('^a+$'), on: flag() });

  test.each([
    [{}, {}],
    [{ tab: 'one', on: false }, {}],
    [
      { tab: 'two', on: true, text: 'aa', more: 1 },
      { tab: 'two', on: true, text: 'aa' },
    ],
    [{ tab: 'three', on: 'true', text: 'b' }, {}],
  ])('of %j stays %j', (given, kept) => {
    expect(readSearch(schema, given)).toEqual(kept);
    expect(withDefaults(schema, given)).toEqual({ tab: 'one', on: false, text: undefined, ...kept });
  });

  test('a link has its parameters in its address, encoded', () => {
    const target = toPage('/projects/$projectId/installs/$installId', { projectId: 7, installId: 'a/b c' });
    expect(target.to).toBe('/projects/7/installs/a%2Fb%20c');
  });
});
