/** Which questions mean something, and what is said of the others (docs/contract/queries.md). */
import { readQueryInput, resolved, unknownIn } from '../../../src/questions/query-input';
import { refusal } from '../../support/http/refusal';

const RANGE = { source: 'app', from: '2025-06-01', to: '2025-06-30' };
const good = { ...RANGE, metrics: ['installs'] };

test('what is left out is filled in', () =>
  expect(resolved(readQueryInput(good))).toEqual({
    source: 'app',
    view: 'user_acquisition',
    metrics: ['installs'],
    dimensions: [],
    filters: [],
    from: '2025-06-01',
    to: '2025-06-30',
    order_by: [['installs', 'desc']],
    limit: 1_000,
    offset: 0,
    include: ['organic'],
  }));

test('values of filters are read in NFC, without spaces around them', () =>
  expect(
    readQueryInput({
      ...good,
      filters: [
        ['is', 'network', [' Meta']],
        ['contains', 'campaign_name', ['Cafe\u0301']],
      ],
    }).filters.map(({ values }) => values),
  ).toEqual([['Meta'], ['Caf\u00e9']]));

test('a value of a filter has 500 characters at most', () => {
  const of = (length: number) => () =>
    readQueryInput({ ...good, filters: [['is', 'campaign_name', ['x'.repeat(length)]]] });
  expect(of(500)).not.toThrow();
  expect(refusal(of(501))[1]).toMatch(/values must be texts of at most 500 characters/);
});

test.each([
  ['previous_period', { from: '2025-06-03', to: '2025-06-06' }],
  ['previous_year', { from: '2024-06-07', to: '2024-06-10' }],
  [
    { from: '2024-01-01', to: '2024-01-31' },
    { from: '2024-01-01', to: '2024-01-31' },
  ],
])('compared with %j', (compare, range) =>
  expect(readQueryInput({ ...good, from: '2025-06-07', to: '2025-06-10', compare }).compare).toMatchObject(range),
);

test('of February 29 the year before has the 28th, and before the year 1 there are no days', () => {
  const compared = (from: string, compare: string) => readQueryInput({ ...good, from, to: from, compare }).compare;
  expect(compared('2024-02-29', 'previous_year')).toMatchObject({ from: '2023-02-28' });
  expect(compared('0001-01-02', 'previous_period')).toMatchObject({ from: '0001-01-01' });
  expect(refusal(() => compared('0001-01-01', 'previous_period'))).toEqual([
    400,
    'compare: there are not as many days before from.',
  ]);
});

const web = { ...RANGE, source: 'web' };
const refused: [string, unknown, string | RegExp][] = [
  ['no metrics', { ...RANGE }, /metrics/],
  ['an unknown field', { ...good, metric: 'x' }, /metric/],
  ['an unknown source', { ...good, source: 'tv' }, /source/],
  ['an unknown metric', { ...good, metrics: ['instals'] }, /^Unknown metric: "instals"\. Legal: clicks, .*ltv_dN/],
  ['a day beyond the last', { ...good, metrics: ['retention_d91'] }, /^Unknown metric: "retention_d91"/],
  ['a name of every object', { ...good, metrics: ['constructor'] }, /^Unknown metric: "constructor"/],
  ['a metric twice', { ...good, metrics: ['installs', 'installs'] }, 'metrics names "installs" twice.'],
  ['an unknown dimension', { ...good, dimensions: ['planet'] }, /^Unknown dimension: "planet"\. Legal: campaign, /],
  ['five dimensions', { ...good, dimensions: ['day', 'week', 'month', 'ad', 'app'] }, /dimensions/],
  [
    'a metric that has no such dimension',
    { ...good, metrics: ['spend'], dimensions: ['rule'] },
    /^spend cannot be asked for by rule; it can by campaign, network, /,
  ],
  [
    'a ratio of which one part has no such dimension',
    { ...good, metrics: ['cpi'], dimensions: ['touch_type'] },
    /^cpi cannot be asked for by touch_type; it can by campaign, /,
  ],
  [
    'a filter that a metric does not have',
    { ...good, metrics: ['clicks'], filters: [['is', 'touch_type', ['click']]] },
    /^clicks cannot be asked for filtered by touch_type; it can by campaign_name, /,
  ],
  ['a filter on days', { ...good, filters: [['is', 'day', ['2025-06-01']]] }, /^filters\[0\]: day has no filter/],
  ['an unknown operator', { ...good, filters: [['like', 'campaign', ['a']]] }, /^Unknown operator in filters\[0\]/],
  ['a filter without values', { ...good, filters: [['is', 'campaign', []]] }, /^filters\[0\]: the third item must be/],
  ['values that are no texts', { ...good, filters: [['is', 'campaign', [1]]] }, /filters/],
  ['a filter that is none', { ...good, filters: ['campaign'] }, /filters/],
  ['a day that does not exist', { ...good, from: '2025-02-30' }, /from/],
  ['a range that ends before it begins', { ...good, to: '2025-05-01' }, 'from must not be after to.'],
  ['an unknown comparison', { ...good, compare: 'yesterday' }, /^compare must be one of previous_period/],
  ['a comparison without days', { ...good, compare: { from: '2025-01-01' } }, /^compare must be/],
  ['an order by what is not asked for', { ...good, order_by: [['clicks', 'asc']] }, /^Unknown name in order_by\[0\]/],
  ['an unknown direction', { ...good, order_by: [['installs', 'up']] }, /^Unknown direction in order_by\[0\]/],
  ['too large a page', { ...good, limit: 10_001 }, /limit/],
  [
    'a dimension of app queries',
    { ...web, metrics: ['visitors'], dimensions: ['install_day'] },
    /install_day.*campaign/,
  ],
  ['a metric of app queries', { ...web, metrics: ['installs'] }, /"installs"\. Legal: visitors/],
  ['a view', { ...web, metrics: ['visitors'], view: 'retargeting' }, /view belongs to source app/],
  [
    'a model of an app query',
    { ...web, source: 'app', metrics: ['installs'], model: 'last_touch' },
    /model belongs to source web/,
  ],
  [
    'a metric by hours of which only days are kept',
    { ...good, metrics: ['installs', 'cpa'], dimensions: ['hour'] },
    /^cpa cannot be asked for by hour; it can by campaign, /,
  ],
  [
    'a filter on days of visits',
    { ...web, metrics: ['visitors'], filters: [['is', 'day', ['2026-03-01']]] },
    /day has no filter/,
  ],
  ['an unknown model', { ...web, metrics: ['visitors'], model: 'linear' }, /model/],
];

test.each<[string, object, string[]]>([
  [
    'what ad networks count, by country',
    { ...good, metrics: ['installs', 'spend', 'cpi'], dimensions: ['country'] },
    ['spend', 'cpi'],
  ],
  [
    'by version of the OS',
    { ...good, metrics: ['roas_d7', 'ltv_d7', 'clicks'], dimensions: ['os_version'] },
    ['roas_d7', 'clicks'],
  ],
  ['by hour', { ...good, metrics: ['installs', 'cpi', 'clicks'], dimensions: ['hour'] }, ['cpi']],
  ['of an app', { ...good, metrics: ['profit', 'revenue'], filters: [['is', 'app', ['a']]] }, ['profit']],
  [
    'spend of visits by country',
    { ...web, metrics: ['visitors', 'spend', 'cpa'], dimensions: ['country'] },
    ['spend', 'cpa'],
  ],
  [
    'spend of visits of a source',
    { ...web, metrics: ['roas', 'revenue'], filters: [['is', 'source', ['fb']]] },
    ['roas'],
  ],
  ['spend by what networks tell', { ...good, metrics: ['spend', 'cpi'], dimensions: ['ad_set', 'day'] }, []],
])('unknown: %s', (_what, body, unknown) => expect(unknownIn(readQueryInput(body))).toEqual(unknown));

test.each(refused)('%s is refused', (_what, body, message) => {
  const [status, text] = refusal(() => readQueryInput(body));
  expect([status, text]).toEqual([400, typeof message === 'string' ? message : expect.stringMatching(message)]);
});
