/** The parameters of app reports: defaults, aliases, and the text of every refusal. */
import { orderParameters, reportParameters, toReportInput } from '../../../src/app-report/input';
import { readValues } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

const read = (query: string) => toReportInput(readValues(reportParameters, new URLSearchParams(query)));

test('without parameters', () =>
  expect(read('')).toEqual({
    from: undefined,
    to: undefined,
    active: null,
    network: undefined,
    metaAccountId: null,
    platform: '',
    search: undefined,
    view: 'user_acquisition',
    sortField: 'installs',
    ascending: false,
    page: { page: 1, limit: 10, offset: 0 },
    columns: { events: [], payments: [], costs: [], unique: [] },
    activeUsers: 7,
  }));

test('parameters sent empty count as not sent', () =>
  expect(read('from=&to=&active=&view=&sort_field=&page=&limit=&events=&active_users=&meta_account_id=')).toEqual(
    read(''),
  ));

test('all parameters', () =>
  expect(
    read(
      'from=2025-01-01&to=2025-01-31&active=false&network=Meta&meta_account_id=12&platform=ios&search=Sum%20mer' +
        '&view=retargeting&sort_field=roas&sort_order=ascending&page=2&limit=50&events=a,b&payment_events=SUB' +
        '&cost_per_event=a&unique_user_events=b&active_users=30',
    ),
  ).toEqual({
    from: '2025-01-01',
    to: '2025-01-31',
    active: false,
    network: 'meta',
    metaAccountId: 12,
    platform: 'IOS',
    search: 'Sum mer',
    view: 'retargeting',
    sortField: 'roas',
    ascending: true,
    page: { page: 2, limit: 50, offset: 50 },
    columns: { events: ['a', 'b'], payments: ['SUB'], costs: ['a'], unique: ['b'] },
    activeUsers: 30,
  }));

test('a name wins over its alias, an alias over nothing, the first over its repeats', () => {
  expect(read('start_date=2025-01-01&end_date=2025-01-02')).toMatchObject({ from: '2025-01-01', to: '2025-01-02' });
  expect(read('start_date=2025-01-01&from=2025-01-02').from).toBe('2025-01-02');
  expect(read('start_date=2025-01-01&from=').from).toBe('2025-01-01');
  expect(read('search=a&search=b').search).toBe('a');
});

test('names of events are trimmed, once each', () =>
  expect(read('events=a,,b, a,a&payment_events=x, y%20,Cafe%CC%81&cost_per_event= z').columns).toMatchObject({
    events: ['a', 'b'],
    payments: ['x', 'y', 'Caf\u00e9'],
    costs: ['z'],
  }));

test('one day is a range; active users go back a hundred years and no further', () => {
  expect(read('from=2025-01-01&to=2025-01-01')).toMatchObject({ from: '2025-01-01', to: '2025-01-01' });
  expect(read('active_users=999999999').activeUsers).toBe(36_500);
});

test.each([
  ['from=2025-02-29', 400, "Invalid from '2025-02-29'. A date is written YYYY-MM-DD."],
  ['end_date=1.1.2025', 400, "Invalid end_date '1.1.2025'. A date is written YYYY-MM-DD."],
  ['from=2025-01-02&to=2025-01-01', 400, "Invalid from '2025-01-02'. It must not be after to '2025-01-01'."],
  ['active=yes', 400, "Invalid active 'yes'. It must be one of true, false."],
  ['platform=IOS', 400, "Invalid platform 'IOS'. It must be one of ios, android."],
  ['view=all', 400, "Invalid view 'all'. It must be one of user_acquisition, retargeting."],
  ['sort_order=up', 400, "Invalid sort_order 'up'. It must be one of descending, ascending."],
  ['meta_account_id=0', 400, "Invalid meta_account_id '0'. It must be a positive integer."],
  ['meta_account_id=1234567890', 400, "Invalid meta_account_id '1234567890'. It must be a positive integer."],
  ['active_users=1.5', 400, "Invalid active_users '1.5'. It must be a positive integer."],
  ["sort_field=installs'; DROP", 400, expect.stringMatching(/^Invalid sort_field 'installs'; DROP'\./)],
  ['active_users=-1', 400, "Invalid active_users '-1'. It must be a positive integer."],
  ['limit=x', 422, expect.stringContaining('limit')],
  ['page=1.5', 422, "Invalid page number '1.5'. Page must be a positive integer."],
  ['page=0', 422, "Invalid page number '0'. Page must be a positive integer."],
  ['limit=101', 422, 'Limit 101 exceeds maximum allowed value of 100.'],
  // The page is looked at first.
  ['view=all&page=0', 422, "Invalid page number '0'. Page must be a positive integer."],
])('%s is refused', (query, status, message) => expect(refusal(() => read(query))).toEqual([status, message]));

test('two pages of one order are of one order, others are not', () => {
  const order = (query: string) => orderParameters(read(query));
  expect(order('page=2&limit=20&search=x')).toBe(order('search=x&limit=20'));
  for (const query of [
    'search=y',
    'limit=21',
    'from=2025-01-01',
    'active=true',
    'sort_order=ascending',
    'platform=ios',
  ])
    expect(order(query)).not.toBe(order('search=x'));
});
