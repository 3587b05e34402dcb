/** Parameters of queries: each is read as its schema says, and refused by its name and the rule. */
import { checkDayRange } from '../../../src/lib/parameters';
import { choice, Type, withDefault } from '../../../src/lib/schema';
import { queryParameter, readAs, readValues, required } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

const PARAMETERS = [
  queryParameter('flag', '', withDefault(Type.Boolean(), false)),
  queryParameter('count', '', Type.Integer({ minimum: 1, maximum: 9 })),
  queryParameter('day', '', Type.String({ format: 'date' })),
  queryParameter('time', '', Type.String({ format: 'date-time' })),
  queryParameter('name', '', Type.String({ maxLength: 3 })),
  queryParameter('one', '', choice(['a', 'b'])),
  readAs(queryParameter('own', '', Type.String()), (sent = '') => sent.length),
] as const;
const read = (query: string) => readValues(PARAMETERS, new URLSearchParams(query));

test('handlers get values of the types of the schemas, and of no other names', () => {
  const { flag, count, name, one, own } = read('flag=true&count=7&name=abc&one=b&own=four&other=1');
  const typed: [boolean, number | undefined, string | undefined, 'a' | 'b' | undefined, number] = [
    flag,
    count,
    name,
    one,
    own,
  ];
  expect(typed).toEqual([true, 7, 'abc', 'b', 4]);
  // @ts-expect-error What is not declared cannot be read.
  expect(read('other=1').other).toBeUndefined();
});

test('what is sent empty is not sent, and of a repeated one the first counts', () => {
  expect(read('count=&count=7&flag=&one=a&one=b')).toEqual({ flag: false, one: 'a', own: 0 });
});

test.each([
  ['flag=yes', 'flag: must be true or false'],
  ...['0', '10', '1.5', 'x'].map((count) => [`count=${count}`, 'count: must be a whole number from 1 to 9']),
  ['day=2026-02-30', 'day: must be a day, written YYYY-MM-DD'],
  ['time=2026-01-01', 'time: must be a time of RFC 3339'],
  ['name=abcd', 'name: must have at most 3 characters'],
  ['name=%00', 'name: must be text without NUL characters and lone surrogates'],
  ['one=c', 'one: must be one of a, b'],
  ['one=c&count=0', 'count: must be a whole number from 1 to 9'],
])('%s is refused', (query, msg) => expect(refusal(() => read(query))).toEqual([400, msg]));

test('a required one must be there', () => {
  const parameter = required(queryParameter('search', '', Type.String()));
  expect(parameter).toMatchObject({ name: 'search', required: true });
  expect(refusal(() => readValues([parameter], new URLSearchParams('search=')))).toEqual([400, 'search: is required']);
});

test.each([
  [{ from: '2026-03-02', to: '2026-03-01' }, 'from: must not be after to'],
  [{ from: '2026-01-01', to: '2027-01-02' }, 'to: the range must have at most 366 days, both included'],
])('a range %j is refused', (range, msg) => expect(refusal(() => checkDayRange(range, 366))).toEqual([400, msg]));
test('a range may have as many days as it has at most', () =>
  checkDayRange({ from: '2026-01-01', to: '2027-01-01' }, 366));
