/** The parts of a change add up to it, digit by digit (docs/contract/mcp.md). */
import fc from 'fast-check';
import { decompose, readFigure, readUnits, writeUnits, type Group, type Sums } from '../../../src/mcp/change';
import { presentAnswer, writeVisibly } from '../../../src/mcp/present';

const ONE = { times: 1n, by: 1n };
const PERCENT = { times: 100n, by: 1n };
const amount = fc.bigInt({ min: -(10n ** 26n), max: 10n ** 26n });
const weight = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 26n }));
const quotient = fc.record({ amount, divisor: weight });
const makeGroups = <T extends Sums>(sums: fc.Arbitrary<T>) =>
  fc.array(fc.record({ before: sums, after: sums }), { minLength: 1, maxLength: 12 });
const sum = (groups: readonly Group[], when: 'before' | 'after'): Sums => ({
  amount: groups.reduce((all, one) => all + one[when].amount, 0n),
  ...(groups[0]?.before.divisor === undefined
    ? {}
    : { divisor: groups.reduce((all, one) => all + (one[when].divisor ?? 0n), 0n) }),
});
const sumGroups = (groups: readonly Group[]) => ({ before: sum(groups, 'before'), after: sum(groups, 'after') });

test('amounts: the parts alone are the difference', () => {
  fc.assert(
    fc.property(makeGroups(fc.record({ amount })), (groups) => {
      const found = decompose(sumGroups(groups), groups, ONE);
      expect(found?.remainder).toBe(0n);
      expect(found?.parts.reduce((all, one) => all + one.difference, 0n)).toBe(found?.difference);
    }),
  );
});

test('quotients: parts and remainder are the difference, and the remainder is what was rounded', () => {
  fc.assert(
    fc.property(makeGroups(quotient), (groups) => {
      const whole = sumGroups(groups);
      const found = decompose(whole, groups, PERCENT);
      if (whole.before.divisor === 0n || whole.after.divisor === 0n) return expect(found).toBeUndefined();
      if (!found) throw new Error('It has a value in both ranges');
      const parts = found.parts.reduce((all, one) => all + one.difference, 0n);
      expect(parts + found.remainder).toBe(found.difference);
      const size = found.remainder < 0n ? -found.remainder : found.remainder;
      expect(size).toBeLessThanOrEqual(BigInt(2 * groups.length + 1));
      for (const { difference, effects } of found.parts)
        expect((effects?.rate ?? 0n) + (effects?.mix ?? 0n) + (effects?.unmatched ?? 0n)).toBe(difference);
    }),
    { numRuns: 300 },
  );
});

test('what counts in two groups is in the remainder', () => {
  const group = { before: { amount: 2n }, after: { amount: 3n } };
  expect(decompose({ before: { amount: 3n }, after: { amount: 4n } }, [group, group], ONE)?.remainder).toBe(-1n);
});

test('a mix that shifts changes a quotient though no group does', () => {
  const groups = [
    { before: { amount: 10n, divisor: 100n }, after: { amount: 30n, divisor: 300n } },
    { before: { amount: 50n, divisor: 100n }, after: { amount: 50n, divisor: 100n } },
  ];
  const found = decompose(sumGroups(groups), groups, PERCENT);
  expect(writeUnits(found?.difference ?? 0n)).toBe('-10');
  expect(found?.parts.map(({ effects }) => effects?.rate)).toEqual([0n, 0n]);
});

test('numbers are read and written as they are', () => {
  for (const text of ['0', '-0.01', '12.5', '123456789012345678901.000000000000000001'])
    expect(writeUnits(readUnits(text))).toBe(text);
  expect(readFigure({ amount: 1n, divisor: 0n }, ONE)).toBeUndefined();
});

test('nothing is hidden in answers, and long ones are none', () => {
  const hidden = { name: 'a\u202eb\u{e0041}' };
  expect(writeVisibly(hidden)).toBe('{"name":"a\\u202eb\\udb40\\udc41"}');
  const data = { name: 'a\\u202eb\\udb40\\udc41' };
  expect(presentAnswer(hidden, ['name'])).toMatchObject({ structuredContent: { untrusted: ['name'], data } });
  // Selectors of variants, fillers, escapes of terminals: each could carry a text as well.
  for (const unseen of ['\u{fe01}', '\u{e0101}', '\u3164', '\u001b', '\u009b', '\u200b'])
    expect(JSON.stringify(presentAnswer({ rows: [[`a${unseen}`]] }, []))).not.toContain(unseen);
  expect(presentAnswer({ rows: [['a\u001b', 1, null]] }, [])).toMatchObject({
    structuredContent: { data: { rows: [['a\\u001b', 1, null]] } },
  });
  expect(presentAnswer({ sent: { 'a\u200b': ['x'] } }, [])).toMatchObject({
    structuredContent: { data: { sent: { 'a\\u200b': ['x'] } } },
  });
  const plain = { rows: [['Ünïcode 🎈 العربية\n\t"x"', 1.5, true, null]] };
  expect(presentAnswer(plain, [])).toMatchObject({ structuredContent: { data: plain } });
  expect(presentAnswer({ text: 'x'.repeat(300_000) }, [])).toMatchObject({ isError: true });
});
