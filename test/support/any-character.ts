/** Any character of Unicode. fast-check's own, unit: 'binary', takes half a second in each file, for a table of all. */
import fc from 'fast-check';

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => !isSurrogate(code))
  .map((code) => String.fromCodePoint(code));
