import fc from 'fast-check';
import { parseJson, TooManyValues } from '../../../src/lib/json';
import { rounds } from '../../support/soak';

const MANY = 10_000_000;
/** More than is parsed at once. */
const padded = (json: string) => json.padEnd(132_000);

test('a large text has the value that JSON.parse gives it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.jsonValue(), async (list, rest) => {
      for (const value of [list, { list, rest, '"[{,\\': [list, [list]] }, rest]) {
        const text = JSON.stringify(value);
        expect(await parseJson(padded(text), MANY)).toEqual(JSON.parse(text));
      }
    }),
    { seed: 1, numRuns: rounds(10, 100) },
  );
});

test('what is no JSON is refused, large or small', async () => {
  for (const text of [
    '',
    '[',
    '{"a":[}]',
    '[{}{}]',
    '[1{}]',
    '["x"{}]',
    '{"a":[{}]]}',
    '[tru{}e]',
    '[{},]',
    '"\\',
    '[[}]',
    '{"a":[{"b" 1}]}',
  ])
    for (const one of [text, padded(text)]) await expect(parseJson(one, MANY)).rejects.toThrow(SyntaxError);
});

test('__proto__ is refused wherever it is', async () => {
  for (const text of ['{"__proto__":{}}', '[{"a":{"__proto__":1}}]', '{"a":[{"\\u005f_proto__":1}]}'])
    for (const one of [text, padded(text)]) await expect(parseJson(one, MANY)).rejects.toThrow(SyntaxError);
});

test('values of a large text are counted, and not those inside strings', async () => {
  const list = (n: number, item: string) => padded(`[${Array(n).fill(item).join()}]`);
  await expect(parseJson(list(1_001, '1'), 1_000)).rejects.toThrow(TooManyValues);
  expect(await parseJson(list(998, '1'), 1_000)).toHaveLength(998);
  expect(await parseJson(list(10, JSON.stringify('"[{,'.repeat(1_000))), 1_000)).toHaveLength(10);
});
