/** The query-string parser against the URL standard's own, URLSearchParams. */
import fc from 'fast-check';
import { parseQueryString } from '../../../src/lib/query-string';
import { anyCharacter } from '../../support/any-character';
import { expectSame } from '../../support/expect-same';
import { rounds } from '../../support/soak';

/** The first value of every name, in the order of their first appearance. */
function reference(text: string): [string, string][] {
  const first = new Map<string, string>();
  // A leading question mark would be taken for the URL's; there is none left here.
  for (const [name, value] of new URLSearchParams(text.startsWith('?') ? `?${text}` : text))
    if (!first.has(name)) first.set(name, value);
  return [...first];
}
const same = (text: string) =>
  expectSame({ text, pairs: [...parseQueryString(text)] }, { text, pairs: reference(text) });

const hex = fc.constantFrom(...'0123456789abcdefABCDEF');
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '&',
      '=',
      '+',
      '%',
      ';',
      '?',
      '#',
      '/',
      '%%',
      '&&',
      '==',
      '%2',
      '%u0041',
      '%25',
      '%26',
      '%3D',
      '%2B',
      '%00',
      '%EF%BB%BF',
      '%ED%A0%80',
      '%C0%AF',
      '%F0%9F%98%80',
      '%E2%80',
      '%F4%90%80%80',
      '%FF',
      '__proto__',
      'constructor',
      'toString',
    ),
  },
  { weight: 3, arbitrary: fc.tuple(hex, hex).map(([a, b]) => `%${a}${b}`) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('%e', '%c', '%f', '%8'), hex).map((pair) => pair.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
      maxLength: 4,
    }),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 3 }).map(encodeURIComponent) },
);
const queryString = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
/** Few names, so that they repeat. */
const repeated = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', '%61', 'A', '', '+', '%20'), fc.constantFrom('=', '', '=='), piece), {
    maxLength: 12,
  })
  .map((pairs) => pairs.map((pair) => pair.join('')).join('&'));

it('equals URLSearchParams for any ASCII, malformed escapes and bytes that are no UTF-8 included', () => {
  fc.assert(fc.property(queryString, same), { numRuns: rounds(4_000, 40_000) });
});

it('of a repeated name, however spelt, the first counts', () => {
  fc.assert(fc.property(repeated, same), { numRuns: rounds(1_000, 10_000) });
});

it('decodes every single byte, and every pair of a lead and a follower, as the standard does', () => {
  const two = (value: number) => `%${value.toString(16).padStart(2, '0')}`;
  for (let byte = 0; byte < 256; byte++) {
    same(`a=${two(byte)}&${two(byte)}=b&c=x${two(byte)}y`);
    for (const follower of [0x00, 0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xff])
      same(`a=${two(byte)}${two(follower)}&b=${two(byte)}${two(follower)}${two(0x80)}${two(0x80)}`);
  }
  for (let code = 0; code < 128; code++)
    same(`a${String.fromCharCode(code)}b=${String.fromCharCode(code)}c${String.fromCharCode(code)}`);
});

it('takes nothing for something', () => {
  for (const text of [
    '',
    '&',
    '&&&',
    '=',
    '==',
    '&=&',
    'a',
    'a=',
    '=a',
    'a&a=1',
    'a=1&a',
    '?',
    '?a=1',
    'a=b=c',
    '+=+',
    '%=%',
    '&a=1&&b=2&',
  ])
    same(text);
});

it('long and many', () => {
  same(`a=${'%F0%9F%98%80'.repeat(9_000)}`);
  same(`a=${'%'.repeat(100_000)}`);
  same(Array.from({ length: 20_000 }, (_, i) => `p${i % 5_000}=v${i}`).join('&'));
});
