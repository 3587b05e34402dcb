/** The parameters of attributed users and attribution results. */
import { resultParameters, toResultInput, toUsersInput, usersParameters } from '../../../src/attribution/input';
import { readValues } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

const END = Date.UTC(2299, 11, 31);
const users = (query: string) => toUsersInput(readValues(usersParameters, new URLSearchParams(query)));
const result = (query: string) => toResultInput(readValues(resultParameters, new URLSearchParams(query)));

describe('attributed users', () => {
  test('by default all times, 50 to a page', () =>
    expect(users('display_id=one')).toEqual({
      displayId: 'one',
      from: 0,
      to: END,
      page: { page: 1, limit: 50, offset: 0 },
    }));

  test.each([
    ['2026-03-01T00:00:00Z', Date.UTC(2026, 2, 1)],
    ['2026-03-01T05:45:00.5+05:45', Date.UTC(2026, 2, 1, 0, 0, 0, 500)],
    ['2026-02-28T19:00:00-05:00', Date.UTC(2026, 2, 1)],
    // What no install can have is moved to the nearest that one can.
    ['1969-12-31T23:59:59Z', 0],
    ['9999-12-31T00:00:00Z', END],
  ])('start at %s', (text, from) =>
    expect(users(`display_id=one&start_timestamp=${encodeURIComponent(text)}`).from).toBe(from),
  );

  test('parameters sent empty count as not sent, of repeated ones the first counts, a time zone is nothing', () => {
    expect(users('display_id=one&display_id=two&start_timestamp=&end_timestamp=&page=&limit=&timezone=Mars')).toEqual(
      users('display_id=one'),
    );
  });

  test.each<readonly [string, number, string]>([
    ['', 422, 'Required parameter missing.'],
    ['display_id=&page=0', 422, 'Required parameter missing.'],
    ['display_id=x&page=0', 422, "Invalid page number '0'. Page must be a positive integer."],
    ['display_id=x&limit=1001', 422, 'Limit 1001 exceeds maximum allowed value of 1000.'],
    ['display_id=x&page=1.5', 422, "Invalid page number '1.5'. Page must be a positive integer."],
    ['display_id=x&limit=0', 422, "Invalid limit '0'. Limit must be between 1 and 1000."],
    ...['2026-13-01T00:00:00Z', '2026-01-01T00:00:00 05:30', 'now', '2026-01-01 00:00:00Z'].flatMap((time) =>
      ['start', 'end'].map(
        (name) => [`display_id=x&${name}_timestamp=${time}`, 400, 'Invalid timestamp format.'] as const,
      ),
    ),
    ['display_id=x&start_timestamp=2026-03-01', 400, 'Invalid timestamp format.'],
    ['display_id=x&start_timestamp=2026-03-01T00:00:00', 400, 'Invalid timestamp format.'],
    ['display_id=x&end_timestamp=2026-02-30T00:00:00Z', 400, 'Invalid timestamp format.'],
    ['display_id=x&end_timestamp=1772323200000', 400, 'Invalid timestamp format.'],
  ])('%j is refused', (query, status, message) => expect(refusal(() => users(query))).toEqual([status, message]));
});

describe('attribution result', () => {
  test('a device in any case, a user as written, or both', () => {
    expect(result('device_identifier=ABC')).toEqual({ device: 'abc', user: undefined });
    expect(result('user_id=Ann')).toEqual({ device: undefined, user: 'Ann' });
    expect(result('device_identifier=A&user_id=B')).toEqual({ device: 'a', user: 'B' });
    expect(result('device_identifier=&user_id=B')).toEqual({ device: undefined, user: 'B' });
  });
  test.each(['', 'device_identifier=&user_id=', 'gaid=x'])('%j is refused', (query) =>
    expect(refusal(() => result(query))).toEqual([400, 'Either device_identifier or user_id is required.']),
  );
});
