/** Parses JSON; a large text in slices, so that other requests get their turn in between. */
import { parse as parseAtOnce } from '@hapi/bourne';
import { JSONParser, TokenType } from '@streamparser/json';
import { Slice, nextSlice } from './slices';

/** A text of up to this many characters is parsed at once: it takes a millisecond or two. */
const SMALL = 128 * 1024;
/** How many characters are parsed before it is looked whether others may run. */
const PIECE = 16 * 1024;

/** A text has more values than are allowed. */
export class TooManyValues extends Error {}

/** Each other value of a list or object follows a comma, and the first one a bracket. */
const BEFORE_VALUES: ReadonlySet<TokenType> = new Set([TokenType.COMMA, TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);

/**
 * The value of a JSON text. An object with a property `__proto__` is refused, wherever it is.
 *
 * @throws TooManyValues for about more than `maxValues` values, SyntaxError for what is no JSON.
 */
export async function parseJson(text: string, maxValues: number): Promise<unknown> {
  if (text.length <= SMALL) return parseAtOnce(text);
  const parser = new JSONParser({ paths: ['$'] });
  let parsed: { readonly value: unknown } | undefined;
  let values = 1;
  let before: unknown;
  parser.onValue = ({ value }) => (parsed = { value });
  parser.onToken = ({ token, value }) => {
    if (BEFORE_VALUES.has(token)) values += 1;
    if (values > maxValues) throw new TooManyValues();
    if (token === TokenType.COLON && before === '__proto__') throw new SyntaxError('A property is named __proto__');
    before = value;
  };
  await nextSlice();
  const slice = new Slice();
  try {
    for (let from = 0; from < text.length;) {
      const to = findBoundary(text, from + PIECE);
      parser.write(text.slice(from, to));
      from = to;
      await slice.rest();
    }
    if (!parser.isEnded) parser.end();
  } catch (error) {
    throw error instanceof TooManyValues ? error : new SyntaxError((error as Error).message);
  }
  if (!parsed) throw new SyntaxError('There is no value');
  return parsed.value;
}

/** Where a text may be cut at or after `at`: not between the halves of a surrogate pair. */
const findBoundary = (text: string, at: number) => (/[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at + 1 : at);
