/** Text that no engine stores is found, or mended; names have one form; what goes to people is one line. */
import { plainName } from '../../../src/people/mail';
import {
  cutName,
  findUnstorableText,
  isEmailAddress,
  isOneLine,
  mendText,
  normaliseText,
  readList,
} from '../../../src/lib/text';

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

describe('a name in its one form', () => {
  test.each([
    ['a decomposed letter', 'Cafe\u0301', 'Caf\u00e9'],
    ['decomposed Korean', '\u1112\u1161\u11ab', '\ud55c'],
    ['spaces around it', '  a b\t\n', 'a b'],
    ['no-break and wide spaces', '\u00a0a\u00a0b\u3000', 'a b'],
    ['zero-width spaces, anywhere', '\u200bSum\u200bmer\u200b', 'Summer'],
    ['a byte order mark, a word joiner, a soft hyphen', '\ufeffSum\u2060mer\u00ad', 'Summer'],
    ['marks of direction around it', '\u200e name\u200f', 'name'],
    ['directions that begin and end', '\u2066name\u2069', '\u2066name\u2069'],
    ['spaces and what is invisible, mixed', ' \u200b \u200dname\u200d \u200b ', 'name'],
    ['joiners within, which change what is seen', '\ud83d\udc69\u200d\ud83d\udcbb', '\ud83d\udc69\u200d\ud83d\udcbb'],
    ['an emoji variation at the end', '\u2764\ufe0f', '\u2764\ufe0f'],
    ['nothing that is seen', ' \u200b\u2060\ufeff ', ''],
    ['what is as it should be', 'Größe 5 – 100 %', 'Größe 5 – 100 %'],
  ])('%s', (_, text, expected) => {
    expect(normaliseText(text)).toBe(expected);
    expect(normaliseText(expected)).toBe(expected);
  });

  test('is cut after so many characters, never within one', () => {
    expect(cutName('abc', 3)).toBe('abc');
    expect(cutName(`${'\u{1F600}'.repeat(4)}`, 3)).toBe('\u{1F600}'.repeat(3));
    expect(cutName('ab cd', 3)).toBe('ab');
  });
});

test.each([
  ['a,b', ['a', 'b']],
  ['a, b', ['a', 'b']],
  [' a ,\u00a0b\u200b,,a, ', ['a', 'b']],
  ['cafe\u0301,caf\u00e9', ['caf\u00e9']],
  ['', []],
])('the values of the list %j', (text, values) => expect(readList(text)).toEqual(values));

describe('normaliseText', () => {
  test.each([
    ['plain', 'spring-sale_1', 'spring-sale_1'],
    ['composed', 'caf\u00e9', 'caf\u00e9'],
    ['decomposed', 'cafe\u0301', 'caf\u00e9'],
    ['Hangul in parts', '\u1112\u1161\u11ab', '\ud55c'],
    ['blanks at its ends', '  spring \n\t', 'spring'],
    ['a hard space at its end', 'spring\u00a0', 'spring'],
    ['zero-width characters at its ends', '\u200b\ufeffspring\u2060\u200d', 'spring'],
    ['zero-width characters and blanks in turn', ' \u200b spring \u200b ', 'spring'],
    ['a zero-width space in the middle', 'spring\u200bsale', 'springsale'],
    ['a soft hyphen', 'spring\u00adsale', 'springsale'],
    ['marks of direction at its ends', '\u200fspring\u200e', 'spring'],
    ['what turns the direction', '\u202aspring\u202c', '\u202aspring\u202c'],
    ['a zero-width space before an accent', 'cafe\u200b\u0301', 'caf\u00e9'],
    ['a hard space in the middle', 'spring\u00a0sale', 'spring sale'],
    ['a line break in the middle', 'spring\nsale', 'spring sale'],
    ['joined emoji', '\u{1F468}\u200d\u{1F469}', '\u{1F468}\u200d\u{1F469}'],
    ['a joiner that Persian needs', '\u0645\u06cc\u200c\u062e', '\u0645\u06cc\u200c\u062e'],
    ['nothing that is seen', '\u200b \ufeff', ''],
    ['a NUL character', 'a\0', 'a\ufffd'],
  ])('%s', (_, text, expected) => expect(normaliseText(text)).toBe(expected));

  test('a long run of blanks is looked through once', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    expect(normaliseText(text)).toBe(text);
  });
});

describe('mendText', () => {
  test.each([
    ['a NUL character', 'a\0b', 'a\ufffdb'],
    ['the first half of a pair', 'a\ud83d', 'a\ufffd'],
    ['the second half of a pair', '\ude00a', '\ufffda'],
    ['a whole pair', '\u{1F600}', '\u{1F600}'],
    ['what is deep', { a: [{ b: ['\0', 1, null, true] }] }, { a: [{ b: ['\ufffd', 1, null, true] }] }],
    ['a name', { 'a\0': 1 }, { 'a\ufffd': 1 }],
    ['what is no text', 5, 5],
  ])('%s', (_, value, expected) => expect(mendText(value)).toEqual(expected));

  test('a name that becomes that of the prototype is a name', () => {
    const mended = mendText(JSON.parse('{"__proto__": {"polluted": true}, "a": "\\u0000"}') as object);
    expect(Object.keys(mended)).toEqual(['__proto__', 'a']);
    expect((mended as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('does not follow what is nested too deeply', () => {
    const deep: unknown = JSON.parse(`["\\u0000", ${'['.repeat(50_000)}${']'.repeat(50_000)}]`);
    expect((mendText(deep) as unknown[])[0]).toBe('\ufffd');
  });

  test('leaves what is kept', () => {
    const isKept = (field: string) => field === 'id' || field === 'user.id';
    expect(mendText({ id: '\0', user: { id: '\0', name: '\0' } }, isKept)).toEqual({
      id: '\0',
      user: { id: '\0', name: '\ufffd' },
    });
  });
});

test.each([
  ['ann@acme.example', true],
  [" Ann.O'Neil+x@Mail.Acme.example ", true],
  [`${'a'.repeat(64)}@x.example`, true],
  [`${'a'.repeat(65)}@x.example`, false],
  [`a@${'b'.repeat(64)}.example`, false],
  [`a@${'b.'.repeat(130)}example`, false],
  ['a@x', false],
  ['a@b@x.example', false],
  ['a@x.example,b@y.example', false],
  ['<a@x.example>', false],
  ['a b@x.example', false],
  ['a@x.example\nBcc: b@y.example', false],
  ['ann@\u212Aelvin.example', false],
  ['', false],
])('an e-mail address: %j: %p', (text, expected) => expect(isEmailAddress(text)).toBe(expected));

test('an address of any form is judged at once', () => {
  const since = performance.now();
  for (const text of [`a@${'a-'.repeat(50_000)}`, `${'a.'.repeat(50_000)}@`, `a@${'a.'.repeat(50_000)}!`])
    expect(isEmailAddress(text)).toBe(false);
  expect(performance.now() - since).toBeLessThan(200);
});

test.each([
  ['Zoë O’Neil', true],
  ['مریم\u200cها', true],
  ['A\nB', false],
  ['A\u2028B', false],
  ['A\u202eB', false],
  ['A\u0000B', false],
  ['A\ud800', false],
  [' \u00a0 ', false],
])('a name of one line: %j: %p', (text, expected) => expect(isOneLine(text)).toBe(expected));

test.each([
  ['Acme & Söhne', 'Acme & Söhne'],
  ['Win at https://evil.example/x?y', 'Win at https evil example x y'],
  ['a@evil.example', 'a evil example'],
  ['A\r\n\r\nhttp://x', 'A http x'],
  ['é'.repeat(100), 'é'.repeat(60)],
  ['\u{20000}'.repeat(61), '\u{20000}'.repeat(60)],
])('%j stands in a mail as %j', (name, expected) => expect(plainName(name)).toBe(expected));
