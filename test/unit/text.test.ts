/** Text that no engine stores is found wherever it is in a document. */
import { findUnstorableText } from '../../src/text';

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

describe('findUnstorableText', () => {
  test.each([
    ['plain values', { a: 'text', b: 1, c: null, d: [true, 'ü'] }],
    ['whole surrogate pairs', ['\u{1F600}']],
    ['other control characters', '\x01\n\t\x7f'],
    ['an empty document', {}],
  ])('%s are fine', (_, value) => expect(findUnstorableText(value)).toBeUndefined());

  test.each([
    ['a NUL character', { a: { b: ['fine', 'x\0y'] } }, 'a.b[1]'],
    ['the first half of a pair', { a: '\ud83d' }, 'a'],
    ['the second half of a pair', ['\ude00'], '[0]'],
    ['the first of two', { one: '\0', two: '\0' }, 'one'],
  ])('%s is named by its path', (_, value, path) => expect(findUnstorableText(value)).toBe(path));

  test('a broken name is reported by the path of what contains it', () => {
    expect(findUnstorableText({ outer: { 'bro\0ken': 1 } })).toBe('outer');
    expect(findUnstorableText({ '\ud83d': 1 })).toBe('');
  });

  test('32 levels are looked through, and no more', () => {
    expect(findUnstorableText(nested(32))).toBeUndefined();
    expect(findUnstorableText(nested(33))).toBeNull();
  });
});
