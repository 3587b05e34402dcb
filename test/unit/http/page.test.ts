/** Pages of lists: defaults, bounds with their texts, and what the answer says of them. */
import { presentPagination, toPage } from '../../../src/lib/page';
import { pageParameters, readValues } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

const PARAMETERS = pageParameters({ default: 10, maximum: 100 });
const read = (page = '', limit = '') => toPage(readValues(PARAMETERS, new URLSearchParams({ page, limit })));

describe('the page that is asked for', () => {
  test.each([
    [undefined, undefined, { page: 1, limit: 10, offset: 0 }],
    ['', '', { page: 1, limit: 10, offset: 0 }],
    ['1', '1', { page: 1, limit: 1, offset: 0 }],
    ['3', '100', { page: 3, limit: 100, offset: 200 }],
    ['007', '020', { page: 7, limit: 20, offset: 120 }],
  ])('page %j with limit %j', (page, limit, expected) => expect(read(page, limit)).toEqual(expected));

  test('a page beyond every number is one with nothing on it', () =>
    expect(read('9'.repeat(400), '100')).toEqual({
      page: Number.MAX_SAFE_INTEGER,
      limit: 100,
      offset: Number.MAX_SAFE_INTEGER,
    }));

  test.each(['0', '-1', '-0', '1.5', '1,5', '1 2', '1e3', '0x1', 'one', 'NaN', 'Infinity', ' 1', '+1', '٣', '\0'])(
    'page %j is refused',
    (page) =>
      expect(refusal(() => read(page))).toEqual([
        422,
        `Invalid page number '${page}'. Page must be a positive integer.`,
      ]),
  );

  test.each(['0', '-1', '-0', '2.5', '1e1', '0x1', 'NaN', '٣', '\0', 'many'])('limit %j is refused', (limit) =>
    expect(refusal(() => read('1', limit))).toEqual([
      422,
      `Invalid limit '${limit}'. Limit must be between 1 and 100.`,
    ]),
  );

  test.each(['101', '1000000000', '9'.repeat(30)])('the limit %s, above the greatest, has a text of its own', (limit) =>
    expect(refusal(() => read('1', limit))).toEqual([422, `Limit ${limit} exceeds maximum allowed value of 100.`]),
  );

  test('of two that are wrong the page is named', () =>
    expect(refusal(() => read('0', '101'))[1]).toMatch(/^Invalid page/));
});

describe('presentPagination', () => {
  test.each([
    [0, 0],
    [1, 1],
    [10, 1],
    [11, 2],
  ])('%d rows are %d pages of 10', (total, pages) =>
    expect(presentPagination(total, { page: 2, limit: 10, offset: 10 })).toEqual({ total, pages, page: 2, limit: 10 }),
  );
});
