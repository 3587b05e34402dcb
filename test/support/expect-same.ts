/** `expect(actual).toEqual(expected)` for what is compared thousands of times: Jest is only asked where they differ. */
import { isDeepStrictEqual } from 'node:util';

export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
