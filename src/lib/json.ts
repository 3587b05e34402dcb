/**
 * Parses the JSON of large bodies in slices, so that one of them never holds up the others: its values are counted
 * before anything is parsed, and other requests get their turn between the slices.
 */
import { randomUUID } from 'node:crypto';
import { parse as parseAtOnce } from '@hapi/bourne';
import { nextSlice, Slice } from './slices';

/** A text of up to this many characters is parsed at once: it takes a millisecond or two. */
const SMALL = 128 * 1024;
/** How many characters are looked at before others may run. */
const SCAN = 256 * 1024;
/** Lists within lists that are taken apart: a workspace has campaigns in projects. What is deeper is parsed whole. */
const LEVELS = 2;

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",[\\]{}'].map((one) =>
  one.charCodeAt(0),
) as [number, number, number, number, number, number, number];

/** A text has more values than are allowed. */
export class TooManyValues extends Error {}

/**
 * The value of a JSON text. An object with a property `__proto__` is refused, wherever it is.
 *
 * @throws TooManyValues for about more than `maxValues` values, SyntaxError for what is no JSON.
 */
export async function parseJson(text: string, maxValues: number): Promise<unknown> {
  if (text.length <= SMALL) return parseAtOnce(text);
  await nextSlice();
  const slice = new Slice();
  await refuseTooMany(text, maxValues, slice);
  return parseParts(text, LEVELS, slice);
}

/** Finds the brackets and commas of a JSON text that are not inside a string. */
class Scanner {
  /** Where the character is that `next` has found. */
  at = -1;

  constructor(private readonly text: string) {}

  /** The next one before `end`; undefined if there is none. */
  next(end: number): number | undefined {
    const { text } = this;
    const stop = Math.min(end, text.length);
    for (let i = this.at + 1; i < stop; i++) {
      const found = text.charCodeAt(i);
      if (found === QUOTE) i = this.endOfString(i);
      else if (
        found === COMMA ||
        found === OPEN_OBJECT ||
        found === CLOSE_OBJECT ||
        found === OPEN_LIST ||
        found === CLOSE_LIST
      ) {
        this.at = i;
        return found;
      }
      this.at = i;
    }
    return undefined;
  }

  private endOfString(start: number): number {
    const { text } = this;
    for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
      let backslashes = 0;
      while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
      if (backslashes % 2 === 0) return end;
    }
    return text.length;
  }
}

/** Calls `look` for every bracket and comma outside strings, in slices. */
async function scan(text: string, slice: Slice, look: (found: number, at: number) => void): Promise<void> {
  const scanner = new Scanner(text);
  for (let end = SCAN; scanner.at < text.length - 1; end += SCAN) {
    for (let found = scanner.next(end); found !== undefined; found = scanner.next(end)) look(found, scanner.at);
    await slice.rest();
  }
}

/** The first value of a list or object follows its bracket, and each other one a comma. */
async function refuseTooMany(text: string, maxValues: number, slice: Slice): Promise<void> {
  let values = 1;
  await scan(text, slice, (found) => {
    if (found !== CLOSE_LIST && found !== CLOSE_OBJECT) values += 1;
    if (values > maxValues) throw new TooManyValues();
  });
}

/** The items of its lists are texts of their own; where they were, the rest has names that no caller can guess. */
async function parseParts(text: string, levels: number, slice: Slice): Promise<unknown> {
  await slice.rest();
  if (text.length <= SMALL || levels === 0) return parseAtOnce(text);
  const mark = randomUUID();
  const { rest, items } = await takeItemsOut(text, mark, slice);
  const value = parseAtOnce(rest) as unknown;
  if (typeof value !== 'object' || value === null) return value;
  const lists = Array.isArray(value) ? [value as unknown[]] : Object.values(value).filter(Array.isArray);
  for (const list of lists as unknown[][])
    for (const [i, name] of list.entries())
      if (typeof name === 'string' && name.startsWith(mark))
        list[i] = await parseParts(items[Number(name.slice(mark.length))] as string, levels - 1, slice);
  return value;
}

/** Takes the objects and lists out that are items of the outermost list, or of a list in the outermost object. */
async function takeItemsOut(text: string, mark: string, slice: Slice): Promise<{ rest: string; items: string[] }> {
  const rest: string[] = [];
  const items: string[] = [];
  /** The first two brackets that are open. */
  const opened: number[] = [];
  let depth = 0;
  let item: { start: number; depth: number } | undefined;
  let taken = 0;
  const isInList = () => opened[depth - 1] === OPEN_LIST && (depth === 1 || opened[0] === OPEN_OBJECT);
  await scan(text, slice, (found, at) => {
    if (found === OPEN_OBJECT || found === OPEN_LIST) {
      if (!item && depth <= 2 && isInList()) item = { start: at, depth };
      if (depth < 2) opened[depth] = found;
      depth += 1;
    } else if (found !== COMMA) {
      depth -= 1;
      if (item?.depth !== depth) return;
      rest.push(text.slice(taken, item.start), JSON.stringify(mark + items.length));
      items.push(text.slice(item.start, at + 1));
      taken = at + 1;
      item = undefined;
    }
  });
  return { rest: rest.join('') + text.slice(taken), items };
}
