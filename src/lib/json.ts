/** Parses JSON; a large text in slices, so that other requests get their turn in between. */
import { parse as parseAtOnce } from '@hapi/bourne';
import { TokenParser, Tokenizer, TokenType, type ParsedTokenInfo } from '@streamparser/json';
import { Slice, nextSlice } from './slices';

/** A text of up to this many characters is parsed at once: it takes a millisecond or two. */
const SMALL = 128 * 1024;
/** How many characters are parsed before it is looked whether others may run. */
const PIECE = 16 * 1024;

/** A text has more values than are allowed. */
export class TooManyValues extends Error {}

/** Each other value of a list or object follows a comma, and the first one a bracket. */
const BEFORE_VALUES: ReadonlySet<TokenType> = new Set([TokenType.COMMA, TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);

/** Numbers that would be written in another way stay texts: 1.0, 1e3, IDs of 64 bits. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    const value = Number(text);
    return String(value) === text ? value : (text as unknown as number);
  }
}

/**
 * The value of a JSON text. An object with a property `__proto__` is refused, wherever it is.
 *
 * @throws TooManyValues for about more than `maxValues` values, SyntaxError for what is no JSON.
 */
export async function parseJson(text: string, maxValues: number): Promise<unknown> {
  if (text.length <= SMALL) return parseAtOnce(text);
  let before: unknown;
  return parseInSlices(text, maxValues, new Tokenizer(), ({ token, value }) => {
    if (token === TokenType.COLON && before === '__proto__') throw new SyntaxError('A property is named __proto__');
    before = value;
  });
}

/**
 * As `parseJson`, but numbers that JavaScript would write in another way are texts, as they were written, and any name
 * is taken: the values are for `Object.keys` alone.
 */
export const parseExactJson = (text: string, maxValues: number): Promise<unknown> =>
  parseInSlices(text, maxValues, new ExactTokenizer());

/**
 * Hands over the elements of a JSON array in their order, each as `parseExactJson` has it and as soon as it is there:
 * to hold all of them would cost the garbage collector long pauses.
 *
 * @throws TooManyValues, SyntaxError as `parseJson` does, and where the text is no array.
 */
export async function readElements(text: string, maxValues: number, take: (element: unknown) => void): Promise<void> {
  if (!/^\s*\[/.test(text)) throw new SyntaxError('It is no array');
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ value }) => take(value);
  await writeInSlices(text, maxValues, new ExactTokenizer(), parser);
}

async function parseInSlices(
  text: string,
  maxValues: number,
  tokenizer: Tokenizer,
  check?: (found: ParsedTokenInfo) => void,
): Promise<unknown> {
  const parser = new TokenParser({ paths: ['$'] });
  let parsed: { readonly value: unknown } | undefined;
  parser.onValue = ({ value }) => (parsed = { value });
  await writeInSlices(text, maxValues, tokenizer, parser, check);
  if (!parsed) throw new SyntaxError('There is no value');
  return parsed.value;
}

async function writeInSlices(
  text: string,
  maxValues: number,
  tokenizer: Tokenizer,
  parser: TokenParser,
  check: (found: ParsedTokenInfo) => void = () => undefined,
): Promise<void> {
  let values = 1;
  tokenizer.onToken = (found) => {
    if (BEFORE_VALUES.has(found.token)) values += 1;
    if (values > maxValues) throw new TooManyValues();
    check(found);
    parser.write(found);
  };
  await nextSlice();
  const slice = new Slice();
  try {
    for (let from = 0; from < text.length;) {
      const to = findBoundary(text, from + PIECE);
      tokenizer.write(text.slice(from, to));
      from = to;
      await slice.rest();
    }
    if (!tokenizer.isEnded) tokenizer.end();
    if (!parser.isEnded) parser.end();
  } catch (error) {
    throw error instanceof TooManyValues ? error : new SyntaxError((error as Error).message);
  }
}

/** Where a text may be cut at or after `at`: not between the halves of a surrogate pair. */
const findBoundary = (text: string, at: number) => (/[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at + 1 : at);
