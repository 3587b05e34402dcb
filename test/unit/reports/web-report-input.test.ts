/** The parameters of web reports: defaults, the range in days of Kolkata, filters of networks, and every refusal. */
import { refuseRepeated, reportParameters, toReportInput } from '../../../src/web-report/input';
import { readValues } from '../../../src/openapi/operation';
import { totalSpendFilter } from '../../../src/web-report/service';
import { refusal } from '../../support/http/refusal';

/** 2025-01-01, 00:30 in Kolkata. */
const CREATED = new Date('2024-12-31T19:00:00Z');
/** 2025-06-15, 23:59 in Kolkata. */
const NOW = Date.parse('2025-06-15T18:29:59.999Z');
function read(text: string, now = NOW) {
  const query = new URLSearchParams(text);
  refuseRepeated(query);
  return toReportInput(readValues(reportParameters, query), CREATED, now);
}
const NO_FILTERS = {
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_id: '',
  utm_content: '',
  utm_term: '',
  channel: '',
  source: '',
  network_campaign_id: '',
  ad_set_id: '',
  search: '',
};

test('without parameters: everything since the project was created', () =>
  expect(read('')).toEqual({
    from: '2025-01-01',
    to: '2025-06-15',
    groupBy: 'campaign',
    network: null,
    attribution: 'last_touch',
    filters: NO_FILTERS,
    events: [],
    sortField: 'visitors',
    sortOrder: 'descending',
    page: { page: 1, limit: 10, offset: 0 },
  }));

test('parameters sent empty count as not sent', () =>
  expect(read('from=&to=&group_by=&network=&attribution=&sort_field=&sort_order=&channel=&events=&page=')).toEqual(
    read(''),
  ));

describe('the range', () => {
  test.each([
    ['to=2025-01-01', { from: '2025-01-01', to: '2025-01-01' }],
    ['from=2025-06-15', { from: '2025-06-15', to: '2025-06-15' }],
    ['start_date=2025-02-01&end_date=2025-02-28', { from: '2025-02-01', to: '2025-02-28' }],
    // What lies ahead has not happened, what lies before the project is without data.
    ['from=2025-06-01&to=2030-01-01', { from: '2025-06-01', to: '2025-06-15' }],
    ['from=2024-12-01&to=2025-01-31', { from: '2024-12-01', to: '2025-01-31' }],
    // 366 days.
    ['from=2024-06-15&to=2025-06-15', { from: '2024-06-15', to: '2025-06-15' }],
  ])('%s', (query, range) => expect(read(query)).toMatchObject(range));

  test('a new day begins at midnight in Kolkata', () => expect(read('', NOW + 1).to).toBe('2025-06-16'));

  test('without dates it may be of any length', () =>
    expect(read('', Date.parse('2035-01-01T00:00:00Z'))).toMatchObject({ from: '2025-01-01', to: '2035-01-01' }));
});

test('names of events are trimmed, and asked for once', () =>
  expect(read('events= a,b ,,a').events).toEqual(['a', 'b']));

describe('networks', () => {
  test('a grouping of a network shows touches of its channel', () =>
    expect(read('group_by=ad&network=google&ad_set_id=5')).toMatchObject({
      groupBy: 'ad',
      network: 'google',
      filters: { ...NO_FILTERS, channel: 'google', ad_set_id: '5' },
    }));
  test('a channel or source that belongs to it may be named, in any case', () => {
    expect(read('group_by=ad&network=meta&channel=Meta').filters.channel).toBe('meta');
    expect(read('group_by=ad&network=meta&source=Facebook').filters.source).toBe('facebook');
    expect(read('group_by=ad&network=meta&source=my-newsletter').filters.source).toBe('my-newsletter');
    expect(read('group_by=ad&network=meta&channel=email').filters.channel).toBe('email');
  });
});

test.each([
  ['page=1&page=2', 400, "Parameter 'page' may be sent once."],
  ['from=2025-01-01&from=2025-01-01', 400, "Parameter 'from' may be sent once."],
  [
    'group_by=day',
    400,
    "Invalid group_by 'day'. It must be one of campaign, channel, source, network_campaign, ad_set, ad.",
  ],
  ['attribution=linear', 400, "Invalid attribution 'linear'. It must be one of last_touch, first_touch."],
  ['sort_order=up', 400, "Invalid sort_order 'up'. It must be one of ascending, descending."],
  ['group_by=ad', 400, 'network is required with group_by=ad. It must be meta or google.'],
  ['group_by=ad&network=tiktok', 400, "Invalid network 'tiktok'. It must be one of meta, google."],
  ['network=meta', 400, 'network cannot be sent with group_by=campaign.'],
  ['ad_set_id=1&group_by=channel', 400, 'ad_set_id cannot be sent with group_by=channel.'],
  ['group_by=ad&network=meta&channel=google', 400, "Invalid channel 'google'. It does not belong to network meta."],
  [
    'group_by=ad&network=google&source=facebook',
    400,
    "Invalid source 'facebook'. It does not belong to network google.",
  ],
  ['from=2025-01-01&start_date=2025-01-01', 400, 'from and start_date are the same parameter; send one of them.'],
  ['from=2025-02-29', 422, "Invalid from '2025-02-29'. It must be a date, YYYY-MM-DD."],
  ['end_date=today', 422, "Invalid end_date 'today'. It must be a date, YYYY-MM-DD."],
  ['from=2025-02-02&to=2025-02-01', 422, 'Invalid range: from 2025-02-02 is after to 2025-02-01.'],
  ['from=2025-06-16', 422, 'Invalid range: from 2025-06-16 is after to 2025-06-15.'],
  ['to=2024-12-31', 422, "Invalid to '2024-12-31'. The project was created on 2025-01-01."],
  ['from=2024-06-14&to=2025-06-15', 422, 'The range spans at most 366 days.'],
  ['page=10001', 422, "Invalid page number '10001'. Page must be between 1 and 10000."],
  ['limit=101', 422, 'Limit 101 exceeds maximum allowed value of 100.'],
  [`events=${Array.from({ length: 51 }, (_, i) => i).join()}`, 422, 'events takes at most 50 names.'],
  [`events=${'x'.repeat(121)}`, 422, 'A name in events has at most 120 characters.'],
])('%s is refused', (query, status, message) => expect(refusal(() => read(query))).toEqual([status, message]));

test('as many events, as long, as there may be; characters count, not what they are written with', () => {
  const names = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(3, '0') + '\u{1F600}'.repeat(117));
  expect(read(`events=${encodeURIComponent(names.join())}`).events).toEqual(names);
});

test.each([
  ['group_by=Campaign', 400],
  ['sort_field=spend', 400],
  ['sort_order=asc', 400],
  ['group_by=network_campaign', 400],
  ['group_by=ad_set', 400],
  ['group_by=ad&network=', 400],
  ['group_by=channel&network=google', 400],
  ['network_campaign_id=7', 400],
  ['group_by=source&ad_set_id=7', 400],
  ['group_by=ad&network=google&channel=meta', 400],
  ['group_by=ad&network=meta&source=google', 400],
  ['group_by=ad&network=google&source=facebook', 400],
  ['group_by=ad&network=google&source=fb', 400],
  ['group_by=ad&network=meta&source=tiktok', 400],
  ['search=a&search=b', 400],
  ['events=a&events=b', 400],
  ['to=2026-01-01&end_date=2026-01-01', 400],
  ['limit=0', 422],
  ['limit=-1', 422],
  ['limit=1.5', 422],
  ['limit=abc', 422],
  ['page=0', 422],
  ['page=-1', 422],
  ['page=1.5', 422],
  ['page=abc', 422],
  ['from=2026-13-01', 422],
  ['to=20260101', 422],
  ['from=2026-1-1', 422],
  ['start_date=yesterday', 422],
  ['end_date=2026-01-01T00:00:00Z', 422],
  ['from=2099-01-01', 422],
  ['from=2024-02-01&to=2025-02-02', 422],
  ['to=2024-12-30', 422],
  ['to=2020-01-01', 422],
])('%s is %i', (query, status) => expect(refusal(() => read(query))[0]).toBe(status));

test.each([
  'limit=100&page=10000',
  'group_by=ad&network=meta&channel=meta&source=ig',
  'group_by=network_campaign&network=google&source=youtube',
  'channel=nonsense',
  'source=nobody',
  'unknown=1',
  'search=%25%5F%27%22%5C%00',
  'utm_source=%27%3B%20DROP',
  'sort_field=name&sort_order=ascending',
  'start_date=2025-01-01&end_date=2025-01-02',
])('%s is legal', (query) => expect(read(query)).toMatchObject({ from: '2025-01-01' }));

test.each<[string, object | undefined]>([
  ['group_by=channel&search=GOO', { networks: ['GOOGLE'], search: '' }],
  ['group_by=channel&search=me', { networks: ['META'], search: '' }],
  ['group_by=channel&search=e', { networks: ['META', 'GOOGLE'], search: '' }],
  ['group_by=channel&search=organic', undefined],
  ['group_by=channel', { networks: [], search: '' }],
  ['group_by=campaign&search=SUM', { networks: [], search: 'SUM' }],
  ['group_by=source&search=goo', undefined],
  ['group_by=channel&channel=google', { networks: ['GOOGLE'], search: '' }],
  ['group_by=channel&channel=google&search=META', undefined],
  ['group_by=channel&channel=email', undefined],
])('the spend of the total is that of the campaigns that %s matches', (query, filter) => {
  expect(totalSpendFilter(read(query))).toEqual(filter && { network_campaign_id: '', ...filter });
});
